import { randomBytes, randomInt } from 'node:crypto';
import type { Registration } from '@jangada/contract';
import type { Deps } from '../src/deps.ts';
import type { Caller } from '../src/http/route.ts';
import { authenticateSession, registerAccount } from '../src/identity/index.ts';
import { randomCpf } from './random-cpf.ts';

/** The input of the registration form. */
export function newPerson(fields: Partial<Registration> = {}): Registration {
  const mark = randomBytes(6).toString('hex');
  return {
    username: `pessoa-${mark}`,
    name: 'Marina Albuquerque',
    email: `${mark}@example.com`,
    password: 'uma senha boa',
    document: randomCpf(),
    doctype: 'cpf',
    ...fields,
  };
}

/** A random IP address for tests (RFC 2544): attempts are counted by address, so each caller begins at zero. */
export function randomAddress(): string {
  return `198.${18 + randomInt(2)}.${randomInt(256)}.${randomInt(256)}`;
}

export const newClientInfo = (fields: { address?: string; device?: string } = {}) => ({
  address: randomAddress(),
  userAgent: 'test',
  ...fields,
});

export type Person = Registration & { readonly id: number; readonly token: string; readonly caller: Caller };

/** A newly registered user, with their session. */
export async function givenPerson(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  fields: Partial<Registration> = {},
): Promise<Person> {
  const person = newPerson(fields);
  const { token, user } = await registerAccount(deps, person, newClientInfo());
  return { ...person, id: Number(user.id), token, caller: await authenticateSession(deps, token) };
}
