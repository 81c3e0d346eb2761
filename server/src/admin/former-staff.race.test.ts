import { randomUUID } from 'node:crypto';
import { adminGetUser } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiAnswer } from '../../test/gateway.ts';
import { type GivenAdmin, type GivenMerchant, givenAdmin, parseSuccess } from '../../test/given.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';

let stand: WithdrawalStand;
let merchant: GivenMerchant;
let former: GivenAdmin;
let withdrawalId: string;
let version: number;

beforeAll(async () => {
  stand = await WithdrawalStand.start();
  merchant = await stand.createFundedMerchant(100);
  withdrawalId = (await stand.ask(merchant, { amount: 50 })).id;
  former = await givenAdmin(stand.gateway);
  const { token } = stand.admin;
  const answer = await stand.gateway.api('GET', `/admin/users/${merchant.id}`, undefined, { token });
  ({ version } = parseSuccess(adminGetUser.response, answer).user);
});
afterAll(() => stand.gateway.stop());

const reason = 'foi conferido';
const userPath = () => `/admin/users/${merchant.id}`;
const withdrawalPath = () => `${userPath()}/withdrawals/${withdrawalId}`;
const unmatchedPix = `E${'0'.repeat(31)}`;

type Call = readonly [method: string, path: string, body: Readonly<Record<string, unknown>>];

/** All actions of administrators on money, or on accounts that may move it. */
const actions: Readonly<Record<string, () => Call>> = {
  'end a withdrawal': () => ['POST', `${withdrawalPath()}/resolve`, { outcome: 'refused', evidence: reason }],
  'hold a withdrawal': () => ['POST', `${withdrawalPath()}/hold`, { reason }],
  'release a withdrawal': () => ['POST', `${withdrawalPath()}/release`, { reason }],
  'end a refund': () => [
    'POST',
    `${userPath()}/refunds/${randomUUID()}/resolve`,
    { outcome: 'refused', evidence: reason },
  ],
  'assign an unmatched Pix': () => [
    'POST',
    `/admin/suspense/${unmatchedPix}/assign`,
    { userId: String(merchant.id), reason },
  ],
  'return an unmatched Pix': () => ['POST', `/admin/suspense/${unmatchedPix}/return`, { reason }],
  'record a bank movement': () => [
    'POST',
    '/admin/bank-movements',
    { kind: 'tariff', amount: 10, description: reason },
  ],
  'close an open item': () => ['POST', `/admin/open-items/${randomUUID()}/close`, { evidence: reason }],
  'stop payouts': () => ['POST', '/admin/payouts/stop', { reason }],
  'resume payouts': () => ['POST', '/admin/payouts/resume', { reason }],
  'adjust a balance': () => ['PUT', userPath(), { version, balance: 90, balance_before: 50, reason }],
  'freeze an account': () => ['POST', `${userPath()}/freeze`, { reason }],
  'unfreeze an account': () => ['POST', `${userPath()}/unfreeze`, { reason }],
  'approve documents': () => ['POST', `/admin/users/kyc/accept/${merchant.id}`, {}],
};

const roleLosses = {
  demoted: sql`role = 'USER'`,
  frozen: sql`frozen_at = now()`,
};

/** Sums up, in one text, all data that an action could change. */
async function readState() {
  const { rows } = await sql<{ state: string }>`
    select concat_ws(' ',
      (select count(*) from ledger_entries), (select count(*) from audit_log), (select count(*) from bank_movements),
      (select payouts_stopped_because from gateway),
      (select concat_ws(' ', status, operator_hold_reason) from withdrawals where id = ${withdrawalId}),
      (select version from users where id = ${merchant.id})) as state
  `.execute(stand.deps.db);
  return rows[0]?.state;
}

/** Waits until a session of the database waits for a lock. */
async function waitUntilBlocked(): Promise<void> {
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(stand.deps.db)).rows).not.toEqual([]);
}

/**
 * Makes a call as an administrator who loses that role between the call's authentication and its transaction: the loss
 * is written, and commits once the call waits for the locked account or has been answered.
 */
async function callWhileLosing(
  loss: keyof typeof roleLosses,
  [method, path, body]: Call,
): Promise<ApiAnswer> {
  const { db } = stand.deps;
  try {
    const call = await db.transaction().execute(async (tx) => {
      await sql`update users set ${roleLosses[loss]} where id = ${former.id}`.execute(tx);
      const answer = stand.gateway.api(method, path, body, { token: former.token });
      await Promise.race([answer, waitUntilBlocked()]);
      return { answer };
    });
    return await call.answer;
  } finally {
    await sql`update users set role = 'ADMIN', frozen_at = null where id = ${former.id}`.execute(db);
  }
}

const cases = Object.keys(roleLosses).flatMap((loss) =>
  Object.keys(actions).map((action) => [action, loss] as const),
);

test.each(cases)(
  'an administrator who wants to %s and is %s in the meantime is refused, and nothing changes',
  async (name, loss) => {
    const action = actions[name];
    if (action === undefined) throw new Error(`There is no action ${name}.`);
    const before = await readState();
    const { status, body } = await callWhileLosing(loss as keyof typeof roleLosses, action());
    expect({ status, body }).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(await readState()).toBe(before);
  },
);
