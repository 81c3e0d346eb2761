import { withdraw } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSuccess } from '../../test/given.ts';
import {
  approveAs,
  askWithdrawal,
  type GivenApprover,
  givenPolicyAccount,
  onlyRequest,
} from '../../test/given-approvals.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';

// What the database refuses even to the gateway's own role.

let stand: WithdrawalStand;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
afterAll(() => stand.gateway.stop());

async function givenRequest() {
  const merchant = await stand.createFundedMerchant(1000);
  const { owner, approvers } = await givenPolicyAccount(stand.gateway, merchant, { others: 2 });
  const { withdrawal } = parseSuccess(withdraw.response, await askWithdrawal(stand.gateway, owner, 50));
  const [finance] = approvers as [GivenApprover];
  return { owner, finance, withdrawal, id: (await onlyRequest(stand.gateway, owner)).id };
}

const insertEntry = (merchantId: number, requestId: string, kind = 'policy') =>
  stand.deps.db
    .insertInto('approval_history')
    .values({ merchant_id: merchantId, kind, request_id: requestId, at: stand.deps.clock.now() })
    .execute();

const update = (id: string, change: Record<string, unknown>) =>
  stand.deps.db.updateTable('approval_requests').set(change).where('id', '=', id).execute();

test('a request that was rejected or whose time is over grants nothing, even if somebody writes that it did', async () => {
  const { owner, finance, id } = await givenRequest();
  await stand.gateway.api('POST', `/authed/approvals/${id}/reject`, {}, { token: finance.token });
  await expect(insertEntry(owner.id, id)).rejects.toMatchObject({ code: '23514' });
  const row = await stand.deps.db
    .selectFrom('approval_requests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const late = {
    ...row,
    id: '00000000-0000-4000-8000-000000000001',
    subject: 'another',
    status: 'open',
    ended_at: null,
    ended_by: null,
    expires_at: new Date('2026-01-01'),
  };
  await stand.deps.db.insertInto('approval_requests').values(late).execute();
  await expect(insertEntry(owner.id, late.id)).rejects.toMatchObject({ code: '23514' });
});

test('a request becomes done only under the history as it is, and then says so for ever', async () => {
  const { owner, finance, withdrawal, id } = await givenRequest();
  await approveAs(stand.gateway, finance, id);
  const ended_at = stand.deps.clock.now();
  for (const history_seq of [0, 2])
    await expect(update(id, { status: 'done', ended_at, history_seq })).rejects.toMatchObject({
      code: '40001',
    });
  await expect(update(id, { status: 'done', ended_at })).rejects.toMatchObject({ code: '40001' });
  await stand.sendDueWithdrawals();
  await stand.advanceUntilStatus(owner, withdrawal.id, 'completed');
  const { status, history_seq } = await stand.deps.db
    .selectFrom('approval_requests')
    .select(['status', 'history_seq'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect([status, history_seq]).toEqual(['done', 1]);
  for (const change of [
    { history_seq: 0 },
    { ended_at: new Date() },
    { status: 'rejected', history_seq: null },
  ])
    await expect(update(id, change)).rejects.toMatchObject({ code: '23514' });
});

test('a request begins open', async () => {
  const { id } = await givenRequest();
  const { db } = stand.deps;
  const row = await db
    .selectFrom('approval_requests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const done = { ...row, id: '00000000-0000-4000-8000-000000000002', subject: 'another', status: 'done' };
  await expect(
    db
      .insertInto('approval_requests')
      .values({ ...done, ended_at: row.created_at, history_seq: 1 })
      .execute(),
  ).rejects.toMatchObject({ code: '23514' });
});
