import type { Access, Endpoint } from './endpoint.ts';
import { type ErrorCode, errors } from './errors.ts';
import { memberRoles, rolesWith } from './members.ts';

/** Every refusal of an endpoint: those it declares, and those that its access, its schemas or the server imply. */
export function refusalCodes(endpoint: Endpoint): ErrorCode[] {
  // INVALID_BODY applies to every endpoint, because it also refuses a malformed HTTP request.
  const codes: ErrorCode[] = [...impliedByAccess[endpoint.access], ...endpoint.refusals, 'INVALID_BODY'];
  codes.push(...impliedByPermission(endpoint.permission));
  // The server reads a body even if the endpoint expects none, so it may refuse the type or size of that body.
  if (endpoint.method !== 'GET') codes.push('UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE');
  if (endpoint.params) codes.push(notFoundCode(endpoint));
  if (endpoint.body && endpoint.method === 'PUT') codes.push('FIELD_NOT_EDITABLE');
  if (endpoint.query) codes.push('INVALID_QUERY');
  if (endpoint.idempotent)
    codes.push('IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS');
  // Calls about the gateway itself (settings, health) have no rate limit, and must work while it is busy.
  if (endpoint.tag !== 'Gateway') codes.push('RATE_LIMITED', 'OVERLOADED', 'UNAVAILABLE');
  return [...new Set([...codes, 'INTERNAL' as const])];
}

/** The refusal if the object named in the path does not exist: the 404 that the endpoint declares, or NOT_FOUND. */
export function notFoundCode({ refusals }: Pick<Endpoint, 'refusals'>): ErrorCode {
  return refusals.find((code) => errors[code].status === 404) ?? 'NOT_FOUND';
}

/** The refusals of a person who acts for an account: for its freeze, another account on the screen, and their role. */
function impliedByPermission(permission: Endpoint['permission']): ErrorCode[] {
  if (permission === undefined || permission === 'own') return [];
  return rolesWith(permission).length === memberRoles.length
    ? ['MEMBERSHIP_ENDED', 'ACCOUNT_FROZEN', 'ACCOUNT_SWITCHED']
    : ['MEMBERSHIP_ENDED', 'ACCOUNT_FROZEN', 'ACCOUNT_SWITCHED', 'MEMBER_ROLE_MISSING'];
}

const keyRefusals = [
  'UNAUTHENTICATED',
  'INVALID_API_KEY',
  'API_KEY_EXPIRED',
  'KEY_SCOPE_MISSING',
  'KEY_ADDRESS_NOT_ALLOWED',
  'ACCOUNT_FROZEN',
] as const;

const impliedByAccess: Record<Access, readonly ErrorCode[]> = {
  public: [],
  session: ['UNAUTHENTICATED'],
  staff: ['UNAUTHENTICATED', 'FORBIDDEN', 'SECOND_FACTOR_SETUP_REQUIRED', 'ACCOUNT_SWITCHED'],
  apiKey: keyRefusals,
  merchant: keyRefusals,
};
