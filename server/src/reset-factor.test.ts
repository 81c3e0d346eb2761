import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnv } from '../test/child-env.ts';
import { startTestGateway, type TestGateway } from '../test/gateway.ts';
import { givenPasskey, givenTotp } from '../test/given-factor.ts';
import { givenPerson } from '../test/people.ts';

const command = fileURLToPath(new URL('reset-factor.ts', import.meta.url));
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

async function runCommand(...args: string[]) {
  const { appUrl, ownerUrl } = gateway.database;
  const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
  const env = { ...childEnv, SECRET_KEY, DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: ownerUrl };
  const child = spawn(process.execPath, [command, ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

test('a reset removes all factors of an account, ends its sessions, notifies its owner and is recorded', async () => {
  const { db } = gateway.deps;
  const person = await givenPerson(gateway.deps);
  await givenTotp(gateway, person);
  await givenPasskey(gateway, person);
  const user_id = person.id;
  const now = gateway.deps.clock.now();
  await db
    .insertInto('known_devices')
    .values({ user_id, device_hash: Buffer.of(1), last_used_at: now })
    .execute();
  const device = {
    endpoint_hash: Buffer.of(1),
    sealed_subscription: Buffer.of(1),
    created_at: now,
    refreshed_at: now,
  };
  await db
    .insertInto('push_subscriptions')
    .values({ merchant_id: user_id, id: randomUUID(), ...device })
    .execute();
  await db
    .insertInto('mail_links')
    .values({
      id: randomUUID(),
      user_id,
      purpose: 'email',
      email: 'a@b.br',
      created_at: now,
      expires_at: new Date('2100-01-01'),
    })
    .execute();
  const signIn = () =>
    gateway.api('POST', '/login', { username: person.username, password: person.password });
  expect(await signIn()).toMatchObject({ body: { error: { code: 'SECOND_FACTOR_REQUIRED' } } });

  expect(await runCommand('--username', person.username.toUpperCase())).toEqual({
    code: 0,
    output: `Segundo fator de ${person.username.toUpperCase()} removido. As sessões foram encerradas, e os saques estão suspensos por 24 horas.\n`,
  });
  const oldSession = await gateway.api('GET', '/authed/profile', undefined, { token: person.token });
  expect(oldSession).toMatchObject({ status: 401 });
  const clearedTables = [
    'totp_factors',
    'passkeys',
    'recovery_codes',
    'factor_challenges',
    'known_devices',
    'mail_links',
  ] as const;
  for (const table of clearedTables)
    expect(await db.selectFrom(table).selectAll().where('user_id', '=', person.id).execute()).toEqual([]);
  expect(
    await db.selectFrom('push_subscriptions').selectAll().where('merchant_id', '=', user_id).execute(),
  ).toEqual([]);
  expect(await signIn()).toMatchObject({ status: 200 });
  const holds = db
    .selectFrom('withdrawal_controls')
    .select('held_because')
    .where('merchant_id', '=', user_id);
  expect(await holds.execute()).toEqual([{ held_because: 'factor-reset' }]);
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

test('an unknown username is refused in one line', async () => {
  expect(await runCommand('--username', 'ninguem')).toEqual({ code: 1, output: 'Usuário não encontrado.\n' });
});
