import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnv } from '../test/child-env.ts';
import { createTestDatabase, type TestDatabase } from '../test/database.ts';
import { newClientInfo } from '../test/people.ts';
import { randomCpf } from '../test/random-cpf.ts';
import { machineClock } from './clock.ts';
import { readConfig } from './config.ts';
import { createDb, createPool, type Db } from './db/pool.ts';
import { authenticateSession, signIn } from './identity/index.ts';

const command = fileURLToPath(new URL('create-admin.ts', import.meta.url));
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function runCommand(args: Record<string, string>, input = '') {
  const options = Object.entries(args).flatMap(([name, value]) => [`--${name}`, value]);
  const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
  const env = {
    ...childEnv,
    SECRET_KEY,
    DATABASE_URL: database.appUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
  };
  const child = spawn(process.execPath, [command, ...options], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, output };
}

const person = (username: string) => ({
  username,
  name: 'Chefe da Casa',
  email: `${username}@example.com`,
  document: randomCpf(),
});

async function roleOf(username: string, password: string): Promise<string> {
  const deps = { db, clock: machineClock, config: readConfig({}) };
  const { token } = await signIn(deps, { username, password }, newClientInfo());
  return (await authenticateSession(deps, token)).role;
}

test('an administrator is created with the password from standard input, which is not printed', async () => {
  const { code, output } = await runCommand(person('chefe'), 'uma senha de chefe\n');
  expect({ code, output }).toEqual({ code: 0, output: 'Administrador chefe criado.\n' });
  expect(await roleOf('chefe', 'uma senha de chefe')).toBe('ADMIN');
  const entries = await db.selectFrom('audit_log').select(['actor_id', 'action', 'after']).execute();
  expect(entries).toEqual([
    {
      actor_id: 0,
      action: 'administrator created',
      after: { username: 'chefe', email: 'chefe@example.com' },
    },
  ]);
});

test('without a password on standard input one is generated and printed', async () => {
  const { output } = await runCommand(person('diretora'));
  expect(await roleOf('diretora', /Senha: (\S+)/.exec(output)?.[1] ?? '')).toBe('ADMIN');
});

test.each([
  ['Este nome de usuário já está em uso.', { username: 'Chefe' }],
  ['CPF inválido', { document: '111.111.111-11' }],
  ['Nome completo é obrigatório', { name: '' }],
])('invalid input is refused in one line: %s', async (message, invalidFields) => {
  const { code, output } = await runCommand({ ...person('outra'), ...invalidFields }, 'uma senha boa');
  expect({ code, output }).toEqual({ code: 1, output: `${message}\n` });
});
