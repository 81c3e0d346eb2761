import type { Access, Endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';

/** Every refusal of an endpoint, its own and those that its access, its schemas and the server imply. */
export function refusalCodes(endpoint: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = [...impliedByAccess[endpoint.access], ...endpoint.refusals];
  if (endpoint.body || endpoint.upload)
    codes.push('INVALID_BODY', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE');
  if (endpoint.query) codes.push('INVALID_QUERY');
  if (endpoint.idempotent)
    codes.push('IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS');
  if (endpoint.tag !== 'Gateway') codes.push('RATE_LIMITED', 'OVERLOADED');
  return [...new Set([...codes, 'INTERNAL' as const])];
}

const keyRefusals = [
  'INVALID_API_KEY',
  'API_KEY_EXPIRED',
  'KEY_SCOPE_MISSING',
  'KEY_ADDRESS_NOT_ALLOWED',
  'ACCOUNT_FROZEN',
] as const;

const impliedByAccess: Record<Access, readonly ErrorCode[]> = {
  public: [],
  session: ['UNAUTHENTICATED'],
  staff: ['UNAUTHENTICATED', 'FORBIDDEN', 'SECOND_FACTOR_SETUP_REQUIRED'],
  apiKey: keyRefusals,
  merchant: [...keyRefusals, 'UNAUTHENTICATED'],
};
