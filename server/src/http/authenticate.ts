import { type Endpoint, hasAbility, type Scope, scopeTexts } from '@jangada/contract';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { Caller } from './route.ts';

/**
 * Finds the caller by a session token or API key. An invalid one is refused with UNAUTHENTICATED or INVALID_API_KEY.
 */
export type Authentication = {
  identifyBySession(token: string): Promise<Caller>;
  /**
   * `address`: the caller's IP address, as reported by trusted proxies; a key may be restricted to some addresses.
   */
  identifyByApiKey(key: string, address: string): Promise<Caller>;
  /** Whether staff need a session with a second factor. */
  readonly requiresStaffSecondFactor?: boolean;
};

/** Identifies the caller of a non-public endpoint, or refuses with UNAUTHENTICATED or INVALID_API_KEY. */
export async function authenticate(
  access: Exclude<Endpoint['access'], 'public'>,
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  authentication: Authentication,
): Promise<Caller> {
  const key = headers['x-api-key'];
  const acceptsKey = access === 'apiKey' || access === 'merchant';
  if (acceptsKey && typeof key === 'string') return authentication.identifyByApiKey(key, ip);
  if (access === 'apiKey')
    throw new Refusal('UNAUTHENTICATED', isKeyAsBearer(headers) ? wrongHeaderHint : keyMissingHint);
  return callerOfSession(headers, acceptsKey, authentication);
}

/**
 * Refuses a caller who may not use this endpoint. `caller` is undefined only for a public endpoint, open to everybody.
 */
export function authorize(
  { access, ability, scope }: Pick<Endpoint, 'access' | 'ability' | 'scope'>,
  caller: Caller | undefined,
  { requiresStaffSecondFactor }: Pick<Authentication, 'requiresStaffSecondFactor'>,
): void {
  if (caller === undefined) return;
  if (caller.authMethod === 'apiKey') refuseKeyWithoutScope(caller, scope);
  if (access !== 'staff') return;
  if (!(ability && hasAbility(caller.role, ability))) throw new Refusal('FORBIDDEN');
  if (requiresStaffSecondFactor && caller.factorAt === undefined)
    throw new Refusal('SECOND_FACTOR_SETUP_REQUIRED');
}

/**
 * Refuses an API key that does not have the endpoint's scope. An endpoint without a scope accepts no API key at all.
 */
function refuseKeyWithoutScope(caller: Caller, scope: Scope | undefined): void {
  const scopes = caller.key?.scopes ?? [];
  if (scope !== undefined && scopes.includes(scope)) return;
  if (scope === undefined) throw new Refusal('KEY_SCOPE_MISSING');
  throw new Refusal('KEY_SCOPE_MISSING', {
    message: `Esta chave de API não tem o escopo ${scopeTexts[scope].label} (${scope}), que esta chamada pede.`,
    details: { scope, scopes },
  });
}

/**
 * Finds the caller by a session token. If no session has the token and it looks like an API key, the refusal tells the
 * caller to send the key as x-api-key.
 */
async function callerOfSession(
  headers: FastifyRequest['headers'],
  acceptsKey: boolean,
  authentication: Authentication,
): Promise<Caller> {
  const token = bearerToken(headers.authorization, acceptsKey);
  try {
    return await authentication.identifyBySession(token);
  } catch (error) {
    const needsHint =
      acceptsKey && isKeyAsBearer(headers) && error instanceof Refusal && error.status === 401;
    throw needsHint ? new Refusal(error.code, wrongHeaderHint) : error;
  }
}

function isKeyAsBearer({ authorization }: FastifyRequest['headers']): boolean {
  return /^Bearer +jgd_/i.test(authorization ?? '');
}

const wrongHeaderHint = { message: 'Envie a chave de API no cabeçalho x-api-key, e não em Authorization.' };
const keyMissingHint = { message: 'Envie a chave de API no cabeçalho x-api-key.' };
const keyAndSessionMissingHint = {
  message: 'Envie a chave de API no cabeçalho x-api-key, ou entre na sua conta.',
};

function bearerToken(header: string | undefined, acceptsKey: boolean): string {
  const token = /^Bearer +([^\s]+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new Refusal('UNAUTHENTICATED', acceptsKey ? keyAndSessionMissingHint : {});
  return token;
}
