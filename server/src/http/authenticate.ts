import { can, type Endpoint } from '@jangada/contract';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { Caller } from './route.ts';

/** Who holds a secret. Throws UNAUTHENTICATED or INVALID_API_KEY when nobody does. */
export type Authentication = {
  session(token: string): Promise<Caller>;
  apiKey(key: string): Promise<Caller>;
  /** Whether staff must have given a second factor in the session that calls. */
  readonly staffSecondFactor?: boolean;
};

/** Finds out who calls an endpoint and whether it admits them; undefined on public endpoints. */
export async function authenticate(
  { access, ability }: Pick<Endpoint, 'access' | 'ability'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
  by: Authentication,
): Promise<Caller | undefined> {
  if (access === 'public') return undefined;
  const key = headers['x-api-key'];
  const acceptsKey = access === 'apiKey' || access === 'merchant';
  if (acceptsKey && typeof key === 'string') return by.apiKey(key);
  if (access === 'apiKey') throw new Refusal('INVALID_API_KEY');
  const caller = await by.session(bearerToken(headers.authorization, acceptsKey));
  if (access === 'staff') {
    if (!(ability && can(caller.role, ability))) throw new Refusal('FORBIDDEN');
    if (by.staffSecondFactor && caller.factorAt === undefined)
      throw new Refusal('SECOND_FACTOR_SETUP_REQUIRED');
  }
  return caller;
}

const eitherMissing = { message: 'Envie a chave de API no cabeçalho x-api-key, ou entre na sua conta.' };

function bearerToken(header: string | undefined, acceptsKey: boolean): string {
  const token = /^Bearer +([^\s]+)$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new Refusal('UNAUTHENTICATED', acceptsKey ? eitherMissing : {});
  return token;
}
