import { can, type Endpoint, type Scope, scopeTexts } from '@jangada/contract';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { Caller } from './route.ts';

/** Who holds a secret. Throws UNAUTHENTICATED or INVALID_API_KEY when nobody does. */
export type Authentication = {
  session(token: string): Promise<Caller>;
  /** The address is the believed one of whoever calls: keys may be bound to some. */
  apiKey(key: string, address: string): Promise<Caller>;
  /** Whether staff must have given a second factor in the session that calls. */
  readonly staffSecondFactor?: boolean;
};

/** Finds out who calls an endpoint that is not public. Refused as `Authentication` says. */
export async function authenticate(
  access: Exclude<Endpoint['access'], 'public'>,
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  by: Authentication,
): Promise<Caller> {
  const key = headers['x-api-key'];
  const acceptsKey = access === 'apiKey' || access === 'merchant';
  if (acceptsKey && typeof key === 'string') return by.apiKey(key, ip);
  if (access === 'apiKey')
    throw new Refusal('UNAUTHENTICATED', isKeyAsBearer(headers) ? wrongHeader : keyMissing);
  return callerOfSession(headers, acceptsKey, by);
}

/** Refuses who is known and may not call this endpoint. */
export function refuseAccess(
  { access, ability, scope }: Pick<Endpoint, 'access' | 'ability' | 'scope'>,
  caller: Caller | undefined,
  { staffSecondFactor }: Pick<Authentication, 'staffSecondFactor'>,
): void {
  if (caller === undefined) return;
  if (caller.by === 'apiKey') refuseKey(caller, scope);
  if (access !== 'staff') return;
  if (!(ability && can(caller.role, ability))) throw new Refusal('FORBIDDEN');
  if (staffSecondFactor && caller.factorAt === undefined) throw new Refusal('SECOND_FACTOR_SETUP_REQUIRED');
}

/** An endpoint that names no scope is open to no key. */
function refuseKey(caller: Caller, scope: Scope | undefined): void {
  const scopes = caller.key?.scopes ?? [];
  if (scope !== undefined && scopes.includes(scope)) return;
  if (scope === undefined) throw new Refusal('KEY_SCOPE_MISSING');
  throw new Refusal('KEY_SCOPE_MISSING', {
    message: `Esta chave de API não tem o escopo ${scopeTexts[scope].label} (${scope}), que esta chamada pede.`,
    details: { scope, scopes },
  });
}

/** A key that came where a session's token goes is told where it belongs, once it is known to be no token. */
async function callerOfSession(
  headers: FastifyRequest['headers'],
  acceptsKey: boolean,
  by: Authentication,
): Promise<Caller> {
  const token = bearerToken(headers.authorization, acceptsKey);
  try {
    return await by.session(token);
  } catch (error) {
    const told = acceptsKey && isKeyAsBearer(headers) && error instanceof Refusal && error.status === 401;
    throw told ? new Refusal(error.code, wrongHeader) : error;
  }
}

function isKeyAsBearer({ authorization }: FastifyRequest['headers']): boolean {
  return /^Bearer +jgd_/i.test(authorization ?? '');
}

const wrongHeader = { message: 'Envie a chave de API no cabeçalho x-api-key, e não em Authorization.' };
const keyMissing = { message: 'Envie a chave de API no cabeçalho x-api-key.' };
const eitherMissing = { message: 'Envie a chave de API no cabeçalho x-api-key, ou entre na sua conta.' };

function bearerToken(header: string | undefined, acceptsKey: boolean): string {
  const token = /^Bearer +([^\s]+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new Refusal('UNAUTHENTICATED', acceptsKey ? eitherMissing : {});
  return token;
}
