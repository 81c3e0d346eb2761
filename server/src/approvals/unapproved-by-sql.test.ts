import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthenticator } from '../../test/authenticator.ts';
import {
  approveAs,
  askWithdrawal,
  type GivenApprover,
  givenApprover,
  givenPolicyAccount,
  onlyRequest,
  openRequests,
} from '../../test/given-approvals.ts';
import { givenNewcomer } from '../../test/given-member.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';

/*
 * Somebody who can run any SQL as the application's role, as from a web process that was taken over, and has neither the
 * approvers' passkeys nor the gateway's key, tries to have a withdrawal sent that nobody approved.
 */
let stand: WithdrawalStand;
let waiting: { accountId: number; withdrawalId: string; requestId: string };
let owner: Awaited<ReturnType<typeof givenPolicyAccount>>['owner'];
let finance: GivenApprover;
let approvedBefore: string;

beforeAll(async () => {
  stand = await WithdrawalStand.start();
  const account = await givenPolicyAccount(stand.gateway, await stand.createFundedMerchant(5000), {
    from: 0,
  });
  owner = account.owner;
  [finance] = account.approvers as [GivenApprover];
  // An order that was approved and sent, whose signature a thief would like to use again.
  await askWithdrawal(stand.gateway, owner, 30);
  approvedBefore = (await onlyRequest(stand.gateway, owner)).id;
  await approveAs(stand.gateway, finance, approvedBefore);
  await stand.sendDueWithdrawals();
  const { id: sentId } = await stand.deps.db
    .selectFrom('withdrawals')
    .select('id')
    .where('merchant_id', '=', owner.id)
    .executeTakeFirstOrThrow();
  await stand.advanceUntilStatus(owner, sentId, 'completed');

  await askWithdrawal(stand.gateway, owner, 400);
  const { id: requestId } = await onlyRequest(stand.gateway, owner);
  const { id: withdrawalId } = await stand.deps.db
    .selectFrom('withdrawals')
    .select('id')
    .where('merchant_id', '=', owner.id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  waiting = { accountId: owner.id, withdrawalId, requestId };
});
afterAll(() => stand.gateway.stop());

const run = (query: ReturnType<typeof sql>) => query.execute(stand.deps.db);

/** Lets the part that speaks to the bank do all that it does, and returns how many payouts of the order the bank has. */
async function countPayouts(): Promise<number> {
  await run(sql`update withdrawals set due_at = ${stand.deps.clock.now()}
    where merchant_id = ${waiting.accountId} and status in ('pending', 'processing')`);
  await stand.sendDueWithdrawals();
  await stand.lookUpDueWithdrawals();
  return (await stand.payoutsOf(waiting.withdrawalId)).length;
}

const forgedRequest = (kind: string, order: object, maker: number) => {
  const id = randomUUID();
  const now = stand.deps.clock.now().toISOString();
  const { origin } = new URL(stand.deps.config.publicUrl);
  const document = JSON.stringify({
    format: 'jangada-approval/1',
    origin,
    account: waiting.accountId,
    request: id,
    kind,
    order,
    maker,
    made_at: now,
    expires_at: new Date(Date.parse(now) + 3_600_000).toISOString(),
  });
  return { id, document, now };
};

/** Stores a request as if it had been carried out, and returns its id. */
async function insertForged(kind: string, order: object): Promise<string> {
  const { id, document, now } = forgedRequest(kind, order, waiting.accountId);
  await run(sql`insert into approval_requests
    (merchant_id, id, kind, subject, document, made_by, created_at, expires_at)
    values (${waiting.accountId}, ${id}, ${kind}, ${id}, ${document}, ${waiting.accountId}, ${now}, ${now})`);
  await run(sql`update approval_requests set status = 'done', ended_at = ${now},
    history_seq = (select max(seq) from approval_history where merchant_id = ${waiting.accountId}) where id = ${id}`);
  return id;
}

const insertHistory = (kind: string, requestId: string, mark: Buffer | null = null) =>
  run(sql`insert into approval_history (merchant_id, kind, request_id, mark, at)
    values (${waiting.accountId}, ${kind}, ${requestId}, ${mark}, now())`);

const insertApproval = (requestId: string, keyId: string, proof: object) =>
  run(sql`insert into approvals (merchant_id, request_id, user_id, key_id, proof, approved_at)
    values (${waiting.accountId}, ${requestId}, ${finance.id}, ${keyId}, ${JSON.stringify(proof)}, now())
    on conflict (merchant_id, request_id, user_id) do nothing`);

const off = { enabled: false, from_cents: 0, approvals: 1, expires_hours: 72, passkeys_only: false };

test('an order that waits is not sent by changing its row or the state of its request', async () => {
  await run(sql`update withdrawals set error = null, error_code = null, operator_hold_reason = null
    where id = ${waiting.withdrawalId}`);
  await run(sql`update approval_requests set status = 'approved' where id = ${waiting.requestId}`);
  expect(await countPayouts()).toBe(0);
});

test('nor by an approval without a signature, or with the signature over another order', async () => {
  const { rows } = await sql<{ proof: object; key_id: string }>`
    select proof, key_id from approvals where request_id = ${approvedBefore}`.execute(stand.deps.db);
  const [{ proof, key_id } = { proof: {}, key_id: '' }] = rows;
  for (const forged of [proof, {}, { mark: 'AAAA' }, { ...proof, signature: 'AAAA' }]) {
    await run(sql`delete from approvals where request_id = ${waiting.requestId}`);
    await insertApproval(waiting.requestId, key_id, forged);
    expect(await countPayouts()).toBe(0);
  }
  await run(sql`delete from approvals where request_id = ${waiting.requestId}`);
});

test('nor by a signature of a key that others never approved', async () => {
  const key = createAuthenticator(stand.deps.config.publicUrl);
  const thief = await givenNewcomer(stand.gateway);
  await run(sql`insert into members (merchant_id, user_id, role, added_at)
    values (${waiting.accountId}, ${thief.id}, 'owner', now())`);
  const order = {
    user: thief.id,
    name: 'Eva',
    email: 'eva@example.com',
    keys: [{ id: key.id, public_key: 'AAAA' }],
  };
  await insertHistory('approver', await insertForged('approver', order));
  await insertApproval(waiting.requestId, key.id, {});
  const approver = await givenApprover(stand.gateway, waiting.accountId, 'owner');
  const answer = await stand.gateway.api(
    'POST',
    `/authed/approvals/${waiting.requestId}/options`,
    {},
    { token: approver.token },
  );
  expect(answer).toMatchObject({ status: 403, body: { error: { code: 'APPROVER_NOT_COUNTED' } } });
  expect(await countPayouts()).toBe(0);
});

test('nor by a history that says the policy is off, is weaker, or begins anew', async () => {
  await insertHistory('policy', await insertForged('policy', off));
  await insertHistory(
    'policy',
    await insertForged('policy', { ...off, enabled: true, from_cents: 1e9, approvers: [] }),
    Buffer.alloc(32),
  );
  expect(await countPayouts()).toBe(0);
  const { open } = await openRequests(stand.gateway, owner);
  expect(open).toHaveLength(1);
});

test('nor by a row that says that the operator took the policy off, which the database refuses', async () => {
  const reset = sql`insert into approval_history (merchant_id, kind, at)
    values (${waiting.accountId}, 'reset', now())`;
  await expect(run(reset)).rejects.toMatchObject({ code: '42501' });
  const hidden = sql`insert into approval_history (merchant_id, kind, user_id, at)
    values (${waiting.accountId}, 'reset', ${finance.id}, now())`;
  await expect(run(hidden)).rejects.toThrow();
  expect(await countPayouts()).toBe(0);
});

test('nor by a destination that others never approved', async () => {
  const order = { pix_key: 'maria@example.com', pix_key_type: 'email', day_limit_cents: 1e9 };
  await insertHistory('destination', await insertForged('destination', order));
  await run(sql`insert into withdrawal_destinations (merchant_id, pix_key, key_type, created_at)
    values (${waiting.accountId}, 'maria@example.com', 'email', now())`);
  await run(sql`update withdrawal_controls set api_enabled = true where merchant_id = ${waiting.accountId}`);
  expect(await countPayouts()).toBe(0);
});

test('nor by pretending that it was sent before, so that it is sent again', async () => {
  const long = new Date(stand.deps.clock.now().getTime() - 600_000);
  await run(sql`update withdrawals set status = 'processing', send_count = 1, first_sent_at = ${long}, last_sent_at = ${long},
    unknown_since = ${long}, not_found_count = 3, lookup_count = 3 where id = ${waiting.withdrawalId}`);
  for (let looks = 0; looks < 4; looks += 1) expect(await countPayouts()).toBe(0);
});

test.each([
  "update approval_history set kind = 'end'",
  'delete from approval_history',
  'truncate approval_history',
  'delete from approval_requests',
  "update approval_requests set document = '{}'",
  "update approvals set proof = '{}'",
  'truncate approvals',
  'alter table approval_history disable trigger all',
  'drop trigger approval_requests_keep_their_text on approval_requests',
  'create temp table approval_history (merchant_id bigint)',
  'create table public.mine (id int)',
  'create function pg_temp.mine() returns int language sql as $$ select 1 $$',
  'create schema mine',
  "set session_replication_role = 'replica'",
  'set role postgres',
  'select end_approvals(1, 1, null, now())',
  'update members set merchant_id = 1 where false; create policy p on approvals',
])('and the database refuses: %s', async (statement) => {
  await expect(sql.raw(statement).execute(stand.deps.db)).rejects.toThrow();
});

test('what was carried out keeps its proof', async () => {
  await expect(run(sql`delete from approvals where request_id = ${approvedBefore}`)).rejects.toThrow(
    'approvals of a request that ended stay',
  );
  await expect(
    run(sql`update approval_requests set status = 'open', ended_at = null where id = ${approvedBefore}`),
  ).rejects.toThrow('does not change this way');
});
