import {
  type Endpoint,
  hasAbility,
  mayDo,
  memberRoleTexts,
  type Permission,
  rolesWith,
  type Scope,
  scopeTexts,
} from '@jangada/contract';
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
  { access, ability, scope, permission }: Pick<Endpoint, 'access' | 'ability' | 'scope' | 'permission'>,
  caller: Caller | undefined,
  { requiresStaffSecondFactor }: Pick<Authentication, 'requiresStaffSecondFactor'>,
): void {
  if (caller === undefined) return;
  if (caller.authMethod === 'apiKey') refuseKeyWithoutScope(caller, scope);
  if (permission !== undefined && permission !== 'own') requirePermission(caller, permission);
  if (access !== 'staff') return;
  // Staff act as themselves, never for an account of which they are a member.
  if (caller.accountId !== caller.userId) throw new Refusal('FORBIDDEN', returnHint);
  if (!(ability && hasAbility(caller.role, ability))) throw new Refusal('FORBIDDEN');
  if (requiresStaffSecondFactor && caller.factorAt === undefined)
    throw new Refusal('SECOND_FACTOR_SETUP_REQUIRED');
}

/** Refuses a call for a frozen account, and one that the person's role in the account does not allow. */
function requirePermission({ memberRole, isAccountFrozen }: Caller, permission: Permission): void {
  if (memberRole === undefined) throw new Refusal('MEMBERSHIP_ENDED');
  if (isAccountFrozen) throw new Refusal('ACCOUNT_FROZEN');
  if (mayDo(memberRole, permission)) return;
  const roles = rolesWith(permission);
  const labels = new Intl.ListFormat('pt-BR', { type: 'disjunction' }).format(
    roles.map((role) => memberRoleTexts[role].label),
  );
  throw new Refusal('MEMBER_ROLE_MISSING', {
    message: `O seu papel nesta conta é ${memberRoleTexts[memberRole].label}. Isto pede o papel ${labels}.`,
    details: { role: memberRole, roles },
  });
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

const returnHint = { message: 'Volte para a sua própria conta para fazer isto.' };
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
