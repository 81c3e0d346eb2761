import { registration } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { newClientInfo, newPerson } from '../../test/people.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';
import { authenticateSession, registerAccount } from './index.ts';

let database: TestDatabase;
let db: Db;
const clock = createAdjustableClock();
const deps = () => ({ db, clock, config: readConfig({ REGISTRATIONS_PER_ADDRESS: '5' }) });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : String(error));

/** Returns the codes of the refused registrations, and the number of those that succeeded. */
async function countOutcomes(registrations: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(registrations);
  const refused = settled.flatMap((result) => (result.status === 'rejected' ? [codeOf(result.reason)] : []));
  return { made: settled.length - refused.length, refused };
}

test('a new account is unapproved and signed in, with document and name in normalized form', async () => {
  const person = newPerson({
    name: '  Joa\u0303o   da Silva ',
    email: 'JOAO.Silva@Example.com',
    document: '12.ABC.345/01DE-35',
    doctype: 'cnpj',
  });
  const { token, user } = await registerAccount(deps(), person, newClientInfo());
  expect(user).toMatchObject({
    username: person.username,
    name: 'João da Silva',
    email: 'joao.silva@example.com',
    document: '12ABC34501DE35',
    docType: 'CNPJ',
    role: 'USER',
    approved: false,
    apiActive: false,
    apiKey: '',
    balance: 0,
  });
  expect(await authenticateSession(deps(), token)).toMatchObject({
    userId: Number(user.id),
    role: 'USER',
    approved: false,
    authMethod: 'session',
  });
});

test.each([
  ['USERNAME_TAKEN', { username: 'Dona.Flor' }, { username: 'dona.FLOR' }],
  ['EMAIL_TAKEN', { email: 'DONA@example.com' }, { email: 'dona@EXAMPLE.com' }],
  ['EMAIL_TAKEN', { email: 'É@example.com' }, { email: 'e\u0301@example.com' }],
  ['DOCUMENT_TAKEN', { document: '529.982.247-25' }, { document: '52998224725' }],
])(
  'of two concurrent registrations with equal data, one is refused with %s',
  async (code, firstData, secondData) => {
    const registrations = [newPerson(firstData), newPerson(secondData)].map((person) =>
      registerAccount(deps(), person, newClientInfo()),
    );
    expect(await countOutcomes(registrations)).toEqual({ made: 1, refused: [code] });
  },
);

test('no username can be another account’s e-mail: it has no @, which the database enforces', async () => {
  const owner = newPerson();
  const { user } = await registerAccount(deps(), owner, newClientInfo());
  const personWithThatUsername = newPerson({ username: owner.email });
  expect(registration.safeParse(personWithThatUsername).error?.issues[0]).toMatchObject({
    path: ['username'],
  });
  const refused = registerAccount(deps(), personWithThatUsername, newClientInfo());
  await expect(refused).rejects.toMatchObject({ constraint: 'users_names_apart' });
  const emailWithoutAt = db
    .updateTable('users')
    .set({ email: 'quem-sabe' })
    .where('id', '=', Number(user.id));
  await expect(emailWithoutAt.execute()).rejects.toMatchObject({ constraint: 'users_names_apart' });
});

test('ten concurrent registrations of one document create one account', async () => {
  const document = randomCpf();
  const registrations = Array.from({ length: 10 }, () =>
    registerAccount(deps(), newPerson({ document }), newClientInfo()),
  );
  expect((await countOutcomes(registrations)).made).toBe(1);
  const accounts = await db.selectFrom('users').select('id').where('document', '=', document).execute();
  expect(accounts).toHaveLength(1);
});

test('the password is stored as argon2id with 19 MiB and two passes', async () => {
  const { user } = await registerAccount(deps(), newPerson(), newClientInfo());
  const stored = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', Number(user.id))
    .executeTakeFirstOrThrow();
  expect(stored.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('registrations are limited per address and hour', async () => {
  const sameVisitor = newClientInfo();
  const registrations = Array.from({ length: 8 }, () => registerAccount(deps(), newPerson(), sameVisitor));
  expect(await countOutcomes(registrations)).toEqual({ made: 5, refused: Array(3).fill('RATE_LIMITED') });
  await registerAccount(deps(), newPerson(), newClientInfo());

  clock.shift(3_600_000);
  await registerAccount(deps(), newPerson(), sameVisitor);
});
