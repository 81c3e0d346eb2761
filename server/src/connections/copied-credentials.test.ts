import { connection } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type GivenMerchant, givenMerchant, givenPin, parseSuccess } from '../../test/given.ts';
import { entryOf, givenConnection, openSandboxAccount, waitForCheck } from '../../test/given-connection.ts';
import { type ScriptedBank, startScriptedBank } from '../../test/scripted-bank.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { atBank } from '../psp/index.ts';
import { sendWithdrawals } from '../withdrawals/send-withdrawals.ts';
import { watchConnections } from './watch-connections.ts';

/*
 * Somebody who can run any SQL as the application's role, and does not have the gateway's key, tries to use the sealed
 * credentials of a merchant's own account for another merchant, or at another bank.
 */
let stand: WithdrawalStand;
let elsewhere: ScriptedBank;
beforeAll(async () => {
  [stand, elsewhere] = await Promise.all([WithdrawalStand.start(), startScriptedBank()]);
});
afterAll(async () => {
  await stand.gateway.stop();
  elsewhere.stop();
});

const givenDirect = () =>
  givenMerchant(stand.gateway, { admin: stand.admin, account: { merchant_kind: 'direct' } });

const run = (query: ReturnType<typeof sql>) => query.execute(stand.deps.db);
const psp = (id: number) => stand.deps.banks.of(id).psp;

async function countPayouts(accountId: string): Promise<number> {
  const response = await fetch(`${stand.gateway.bank.url}/sandbox/payouts?account=${accountId}`);
  return z.array(z.unknown()).parse(await response.json()).length;
}

async function withdraw(merchant: GivenMerchant, connectionId: number): Promise<void> {
  await givenPin(stand.gateway, merchant);
  const { id } = await stand.ask(merchant, { amount: 40 });
  expect(await stand.rowOf(id)).toMatchObject({ connection_id: connectionId });
  await sendWithdrawals(atBank(stand.deps, connectionId));
}

/** An account of the victim's with money, from which they themselves withdraw. */
async function givenVictim() {
  const victim = await givenDirect();
  const { id, account } = await givenConnection(stand.gateway, victim);
  await fetch(`${stand.gateway.bank.url}/sandbox/account/movements?account=${account.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'deposit', amount: 1000 }),
  });
  await withdraw(victim, id);
  expect(await countPayouts(account.id)).toBe(1);
  return { id, account };
}

test.each([
  ['under a Pix key of the thief’s', 'ladrao@example.com'],
  ['under the account’s own Pix key', undefined],
])('nothing leaves an account whose row was copied to another merchant, %s', async (_, key) => {
  const { id, account } = await givenVictim();
  const thief = await givenDirect();
  const now = stand.deps.clock.now();
  if (key === undefined) await run(sql`update bank_connections set state = 'draft' where id = ${id}`);
  const { rows } = await sql<{ id: number }>`
    insert into bank_connections (merchant_id, bank, pix_key, state, sealed_key, sealed_credentials, created_at, updated_at)
    select ${thief.id}, bank, coalesce(${key ?? null}, pix_key), 'active', sealed_key, sealed_credentials, ${now}, ${now}
    from bank_connections where id = ${id} returning id`.execute(stand.deps.db);
  const [{ id: copyId } = { id: 0 }] = rows;
  await stand.deps.banks.refresh();
  await withdraw(thief, copyId);
  await stand.gateway.advance(60);
  await stand.lookUpDueWithdrawals();
  expect(await countPayouts(account.id)).toBe(1);
  await expect(psp(copyId).findCharge('x', 'immediate')).rejects.toThrow('cannot be connected');
});

test('the credentials of an account open neither under another Pix key nor in another account of its merchant', async () => {
  const owner = await givenDirect();
  const [{ id }, other] = [
    await givenConnection(stand.gateway, owner),
    await givenConnection(stand.gateway, owner),
  ];
  const now = () => stand.deps.clock.now();
  await run(sql`update bank_connections other set sealed_key = own.sealed_key,
    sealed_credentials = own.sealed_credentials, updated_at = ${now()}
    from bank_connections own where own.id = ${id} and other.id = ${other.id}`);
  await run(
    sql`update bank_connections set pix_key = 'ladrao@example.org', updated_at = ${now()} where id = ${id}`,
  );
  await stand.deps.banks.refresh();
  for (const one of [id, other.id])
    await expect(psp(one).findCharge('x', 'immediate')).rejects.toThrow('cannot be connected');
});

test.each(['api_url', 'token_url'])(
  'nothing is sent to another address of the bank, and the owner is told: %s',
  async (column) => {
    const { gateway, admin, deps } = stand;
    const { token, password, ...owner } = await givenDirect();
    const account = await openSandboxAccount(gateway);
    const call = async (method: string, path: string, body?: object, by = token) =>
      parseSuccess(connection, await gateway.api(method, path, body, { token: by }));
    const { id } = await call('POST', '/authed/connections', { ...entryOf(account), bank: 'other' });
    const addresses = {
      api_url: `${gateway.bank.apiUrl}/v2`,
      token_url: `${gateway.bank.apiUrl}/oauth/token`,
    };
    await call('PUT', `/admin/connections/${id}/addresses`, { ...addresses, reason: 'Banco' }, admin.token);
    await call('POST', `/authed/connections/${id}/check`);
    await waitForCheck(gateway, { token }, id);
    await call('POST', `/authed/connections/${id}/activate`, { password });
    await deps.banks.refresh();
    expect(await psp(Number(id)).findCharge('x'.repeat(30), 'immediate')).toBeUndefined();

    const changed = column === 'api_url' ? `${elsewhere.url}/v2` : `${elsewhere.url}/oauth/token`;
    await run(sql`update bank_connections set ${sql.ref(column)} = ${changed}, updated_at = ${deps.clock.now()}
      where id = ${Number(id)}`);
    await deps.banks.refresh();
    for (let minute = 0; minute < 7; minute += 1) {
      await expect(psp(Number(id)).findCharge('x'.repeat(30), 'immediate')).rejects.toThrow(
        'cannot be connected',
      );
      await watchConnections(deps);
      await gateway.advance(60);
    }
    expect(elsewhere.calls).toEqual([]);
    const row = await deps.db
      .selectFrom('bank_connections')
      .select('broken_reason')
      .where('merchant_id', '=', owner.id)
      .executeTakeFirstOrThrow();
    expect(row.broken_reason).toBe('As credenciais guardadas não puderam ser abertas: envie-as de novo.');
  },
);
