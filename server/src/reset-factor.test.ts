import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../test/gateway.ts';
import { givenPasskey, givenTotp } from '../test/given-factor.ts';
import { givenPerson } from '../test/people.ts';

const command = fileURLToPath(new URL('reset-factor.ts', import.meta.url));
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ work: false });
});
afterAll(() => gateway.stop());

async function run(...args: string[]) {
  const { PATH } = process.env;
  const { appUrl, ownerUrl } = gateway.database;
  const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
  const env = { PATH, SECRET_KEY, DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: ownerUrl };
  const child = spawn(process.execPath, [command, ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

test('the operator takes all factors from an account, ends its sessions, and it is told and written down', async () => {
  const { db } = gateway.deps;
  const person = await givenPerson(gateway.deps);
  await givenTotp(gateway, person);
  await givenPasskey(gateway, person);
  const signIn = () =>
    gateway.api('POST', '/login', { username: person.username, password: person.password });
  expect(await signIn()).toMatchObject({ body: { error: { code: 'SECOND_FACTOR_REQUIRED' } } });

  expect(await run('--username', person.username.toUpperCase())).toEqual({
    code: 0,
    output: `Segundo fator de ${person.username.toUpperCase()} removido. As sessões foram encerradas.\n`,
  });
  const old = await gateway.api('GET', '/authed/profile', undefined, { token: person.token });
  expect(old).toMatchObject({ status: 401 });
  expect(await signIn()).toMatchObject({ status: 200 });
  for (const table of ['totp_factors', 'passkeys', 'recovery_codes', 'factor_challenges'] as const)
    expect(await db.selectFrom(table).selectAll().where('user_id', '=', person.id).execute()).toEqual([]);
  const entries = db.selectFrom('audit_log').select(['actor_id', 'action', 'before', 'after']);
  expect(await entries.where('subject_id', '=', person.id).execute()).toEqual([
    {
      actor_id: 0,
      action: 'second factor removed',
      before: { totp: true, passkeys: 1 },
      after: { totp: false, passkeys: 0 },
    },
  ]);
  const mails = db.selectFrom('mails').select('subject').where('user_id', '=', person.id);
  expect(await mails.execute()).toContainEqual({ subject: 'Segundo fator removido' });
});

test('a name that no account has is refused in one line', async () => {
  expect(await run('--username', 'ninguem')).toEqual({ code: 1, output: 'Usuário não encontrado.\n' });
});
