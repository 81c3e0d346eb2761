import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getApprovalPolicy } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnv } from '../test/child-env.ts';
import { givenAdmin, givenBalance, parseSuccess } from '../test/given.ts';
import {
  approveAs,
  askWithdrawal,
  type GivenApprover,
  givenPolicyAccount,
  openRequests,
} from '../test/given-approvals.ts';
import { givenPasskey } from '../test/given-factor.ts';
import { givenMember } from '../test/given-member.ts';
import { WithdrawalStand } from '../test/withdrawal-stand.ts';
import { readBalances } from './ledger/index.ts';

const command = fileURLToPath(new URL('reset-approvals.ts', import.meta.url));
const run = promisify(execFile);
let stand: WithdrawalStand;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
afterAll(() => stand.gateway.stop());

async function reset(...args: string[]): Promise<{ code: unknown; output: string }> {
  const { appUrl, ownerUrl } = stand.gateway.database;
  const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
  const env = { ...childEnv, SECRET_KEY, DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: ownerUrl };
  try {
    return { code: 0, output: (await run(process.execPath, [command, ...args], { env })).stdout };
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    return { code, output: stderr };
  }
}

const policyOf = async ({ token }: { token: string }, of = '') => {
  const answer = await stand.gateway.api('GET', `/authed/approval-policy${of}`, undefined, { token });
  return parseSuccess(getApprovalPolicy.response, answer).policy;
};

/** What the reset of an account left: its last entry, its hold, and its line in the audit log. */
async function traceOf(accountId: number) {
  const { db } = stand.deps;
  const entry = await db
    .selectFrom('approval_history')
    .select(['kind', 'seq', 'at'])
    .where('merchant_id', '=', accountId)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  const hold = await db
    .selectFrom('withdrawal_controls')
    .select(['held_until', 'held_because'])
    .where('merchant_id', '=', accountId)
    .executeTakeFirst();
  const logged = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'reason', 'after'])
    .where('action', '=', 'approval policy reset')
    .where('subject_id', '=', accountId)
    .execute();
  const heldUntil = hold?.held_until ?? entry.at;
  const heldHours = (heldUntil.getTime() - entry.at.getTime()) / 3_600_000;
  return { kind: entry.kind, seq: entry.seq, because: hold?.held_because, heldHours, logged };
}

const mailedTo = async (userIds: readonly number[]) => {
  const rows = await stand.deps.db
    .selectFrom('mails')
    .select('user_id')
    .where('subject', '=', 'Política de aprovação desligada pelo operador')
    .where('user_id', 'in', [...userIds])
    .execute();
  return rows.map(({ user_id }) => user_id).toSorted();
};

test('a policy that nobody can meet is taken off: what waited fails, money is held for 72 hours, and everybody is told', async () => {
  const merchant = await stand.createFundedMerchant(1000);
  const { owner, approvers } = await givenPolicyAccount(stand.gateway, merchant);
  const [finance] = approvers as [GivenApprover];
  const cashier = await givenMember(stand.gateway, owner.id, 'cashier');
  await askWithdrawal(stand.gateway, owner, 300);
  const { chargeId } = await givenBalance(stand.gateway, merchant, 200);
  const refund = await stand.gateway.api('POST', `/pix/${chargeId}/refund`, { amount: 200 }, owner);
  expect(refund.status).toBe(201);
  const { open } = await openRequests(stand.gateway, owner);
  expect(open.map(({ kind }) => kind)).toEqual(['refund', 'withdrawal']);
  // The withdrawal was approved, and would leave.
  await approveAs(stand.gateway, finance, open[1]?.id ?? '');
  expect((await readBalances(stand.deps.db, owner.id)).available).toBe(70_000);

  const reason = 'Os dois perderam o telefone; conferidos por vídeo.';
  expect(await reset(merchant.username.toUpperCase(), '--reason', reason)).toEqual({
    code: 0,
    output: `Política de aprovação da conta ${owner.id} desligada. Pedidos cancelados: 2. Os saques estão suspensos por 72 horas.\n`,
  });
  expect(await policyOf(owner)).toMatchObject({ enabled: false });
  expect(await traceOf(owner.id)).toEqual({
    kind: 'reset',
    seq: 2,
    because: 'approvals-reset',
    heldHours: 72,
    logged: [{ actor_id: 0, reason, after: { entry: 2 } }],
  });
  expect(await mailedTo([owner.id, finance.id, cashier.id])).toEqual(
    [owner.id, finance.id, cashier.id].toSorted(),
  );
  const after = await openRequests(stand.gateway, owner);
  expect(after.open).toEqual([]);
  expect(after.ended.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'done']);
  const refunds = stand.deps.db
    .selectFrom('refunds')
    .select(['status', 'error_code'])
    .where('merchant_id', '=', owner.id);
  expect(await refunds.execute()).toEqual([{ status: 'failed', error_code: 'APPROVAL_CANCELLED' }]);

  const orders = await stand.deps.db
    .selectFrom('withdrawals')
    .select(['id', 'status', 'error_code'])
    .where('merchant_id', '=', owner.id)
    .execute();
  expect(orders).toMatchObject([{ status: 'failed', error_code: 'APPROVAL_CANCELLED' }]);
  await stand.sendDueWithdrawals();
  for (const { id } of orders) expect(await stand.payoutsOf(id)).toEqual([]);
  expect((await readBalances(stand.deps.db, owner.id)).available).toBe(120_000);
  expect(await askWithdrawal(stand.gateway, owner, 10)).toMatchObject({
    status: 403,
    body: { error: { code: 'WITHDRAWALS_HELD' } },
  });
  expect(await reset(String(owner.id), '--reason', reason)).toEqual({
    code: 1,
    output: 'A política de aprovação está desligada.\n',
  });
  // The account begins again, under its own members.
  const again = await givenPolicyAccount(stand.gateway, merchant);
  expect(await policyOf(again.owner)).toMatchObject({ enabled: true });
});

test('the operator’s own policy is taken off without a hold, and every administrator is told', async () => {
  const admins = [await givenAdmin(stand.gateway), await givenAdmin(stand.gateway)];
  for (const admin of admins) await givenPasskey(stand.gateway, admin);
  const [first = stand.admin] = admins;
  const policy = { enabled: true, of: 'operator' };
  const set = await stand.gateway.api('PUT', '/authed/approval-policy', policy, { token: first.token });
  expect(set.status).toBe(200);
  expect(await reset('0', '--reason', 'Um saiu')).toMatchObject({ code: 0 });
  expect(await policyOf(first, '?of=operator')).toMatchObject({ enabled: false });
  expect(await traceOf(0)).toMatchObject({ kind: 'reset', heldHours: 0, logged: [{ reason: 'Um saiu' }] });
  const ids = [stand.admin, ...admins].map(({ id }) => id);
  expect(await mailedTo(ids)).toEqual(ids.toSorted());
});

test('an unknown account, or no reason, is refused in one line', async () => {
  for (const account of ['ninguem', '999999999'])
    expect(await reset(account, '--reason', 'x')).toEqual({ code: 1, output: 'Usuário não encontrado.\n' });
  const usage = 'Use: npm run approvals:reset -- NÚMERO ou USUÁRIO --reason "MOTIVO"\n';
  for (const args of [[], ['0'], ['0', '--reason', ' '], ['0', '1', '--reason', 'x'], ['--reason', 'x']])
    expect(await reset(...args)).toEqual({ code: 1, output: usage });
});
