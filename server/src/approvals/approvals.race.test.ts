import { withdraw } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { type GivenMerchant, parseSuccess } from '../../test/given.ts';
import {
  approveAs,
  askWithdrawal,
  type GivenApprover,
  givenPolicyAccount,
  openRequests,
  signRequest,
} from '../../test/given-approvals.ts';
import { addMember, enter } from '../../test/given-member.ts';
import { newClientInfo } from '../../test/people.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { inTransaction } from '../db/transaction.ts';
import { openSession } from '../identity/open-session.ts';
import { sendWithdrawals } from '../withdrawals/index.ts';
import { readApprovalsExport, verifyApprovalsExport } from './index.ts';

const isLongRun = process.env['LONG'] === '1';
const rounds = isLongRun ? 1000 : 6;
/** An order replays the history of its account, so many rounds in one account would mostly test how long that takes. */
const roundsPerAccount = isLongRun ? 25 : 3;
const callsPerRound = 64;
const needed = 2;

let stand: WithdrawalStand;
let owner: GivenMerchant;
let approvers: GivenApprover[];

beforeAll(async () => {
  stand = await WithdrawalStand.start({
    WITHDRAWAL_DAY: '100000000',
    GATEWAY_DAY: '100000000',
    RATE_LIMIT: '0',
    WITHDRAWAL_NIGHT: '100000000',
  });
});
afterAll(async () => {
  expect(await countDeadlocks(stand.deps.db)).toBe(0);
  await stand.gateway.stop();
});

async function beginAccount(): Promise<void> {
  const merchant = await stand.createFundedMerchant(roundsPerAccount * 10 + 1000);
  const account = await givenPolicyAccount(stand.gateway, merchant, {
    from: 0,
    approvals: needed,
    others: 5,
  });
  owner = account.owner;
  approvers = account.approvers;
}

const call = (person: { token: string }, path: string, body: unknown = {}) =>
  stand.gateway.api('POST', path, body, { token: person.token });

/** Gives the owner a session with a fresh factor: the clock goes on with each round, and a removal asks for one. */
async function confirmAnew({ id }: GivenMerchant): Promise<void> {
  const token = await inTransaction(stand.deps, (tx) => openSession(tx, id, newClientInfo(), true));
  Object.assign(owner, { token });
}

/** A member who was removed comes back, and others approve that their approvals count again. */
async function bringBack(removed: GivenApprover, others: readonly GivenApprover[]): Promise<void> {
  await addMember(stand.gateway, owner.id, { id: removed.id, role: 'finance' });
  const token = await inTransaction(stand.deps, (tx) => openSession(tx, removed.id, newClientInfo(), true));
  await enter(stand.gateway, token, owner.id);
  Object.assign(removed, { token });
  await call(removed, '/authed/approvers', {});
  const { open } = await openRequests(stand.gateway, owner);
  const request = open.find(({ kind }) => kind === 'approver');
  for (const other of others.slice(0, needed)) await approveAs(stand.gateway, other, request?.id ?? '');
}

test(`an order is sent once or not at all, by approvers who had the right (${rounds} rounds)`, {
  timeout: 10_800_000,
}, async () => {
  const ends = { sent: 0, notSent: 0 };
  let provenCount = 0;
  for (let round = 0; round < rounds; round += 1) {
    if (round % roundsPerAccount === 0) await beginAccount();
    await confirmAnew(owner);
    const { withdrawal } = parseSuccess(withdraw.response, await askWithdrawal(stand.gateway, owner, 10));
    const { open } = await openRequests(stand.gateway, owner);
    const request = open[0];
    if (request === undefined) throw new Error('nothing waits');
    const path = `/authed/approvals/${request.id}`;
    const signatures = await Promise.all(
      approvers.map((person) => signRequest(stand.gateway, person, request.id)),
    );
    const victim = approvers[round % approvers.length] as GivenApprover;
    // In the last round enough approvals stay, so that every run sends an order.
    const isLast = round === rounds - 1;
    const cancels = !isLast && round % 3 === 0;
    const removals: { status: number; body: unknown }[] = [];
    await runConcurrently(callsPerRound, async (index) => {
      const person = approvers[(index * 7 + round) % approvers.length] as GivenApprover;
      const credential = signatures[approvers.indexOf(person)];
      if (index === 40) {
        const { status, body } = await call(owner, `/authed/members/${victim.id}/remove`, { keys: 'keep' });
        removals.push({ status, body });
        return;
      }
      if (cancels && index === 50) return call(owner, `${path}/cancel`);
      if (!isLast && index % 8 === 3) return call(person, `${path}/retract`);
      if (index % 4 === 1) return sendWithdrawals(stand.deps);
      return call(person, `${path}/approve`, { credential });
    });
    expect(removals).toEqual([{ status: 200, body: expect.anything() }]);
    // Whatever is left of the order is sent now, or still waits.
    await stand.sendDueWithdrawals();
    const payouts = (await stand.payoutsOf(withdrawal.id)).length;
    expect(payouts).toBeLessThanOrEqual(1);
    const approvals = await stand.deps.db
      .selectFrom('approvals')
      .select('user_id')
      .where('request_id', '=', request.id)
      .execute();
    const { status } = await stand.deps.db
      .selectFrom('approval_requests')
      .select('status')
      .where('id', '=', request.id)
      .executeTakeFirstOrThrow();
    // Whoever lost the right before the order was sent has no approval of it any more.
    if (payouts === 1) {
      expect(status).toBe('done');
      expect(approvals.length).toBeGreaterThanOrEqual(needed);
      await stand.advanceUntilStatus(owner, withdrawal.id, 'completed');
      ends.sent += 1;
    } else {
      expect(status).not.toBe('done');
      if (status === 'open' || status === 'approved') await call(owner, `${path}/cancel`);
      expect((await stand.readWithdrawal(owner, withdrawal.id)).status).toBe('failed');
      ends.notSent += 1;
    }
    await bringBack(
      victim,
      approvers.filter((person) => person !== victim),
    );
    if ((round + 1) % roundsPerAccount === 0) provenCount += await countProven();
    if ((round + 1) % 100 === 0) console.log(`${round + 1} rounds: ${ends.sent} sent, ${ends.notSent} not`);
  }
  expect(ends.sent + ends.notSent).toBe(rounds);
  expect(ends.sent).toBeGreaterThan(0);
  expect(provenCount).toBe(ends.sent);
});

/** Recomputes everything that was approved in the account, under the history of its moment, and counts what was sent. */
async function countProven(): Promise<number> {
  await confirmAnew(owner);
  const answer = await stand.gateway.api('GET', '/authed/approvals-export', undefined, owner);
  const content = readApprovalsExport(JSON.stringify(answer.body));
  if (content === undefined) throw new Error('no export');
  const items = await verifyApprovalsExport(content, {
    secrets: stand.deps.secrets,
    trustsFirstPolicy: false,
  });
  const wrong = items.filter(({ verdict }) => !['PROVEN', 'ENDED', 'NOTED'].includes(verdict));
  expect(wrong).toEqual([]);
  return items.filter(({ detail }) => /^withdrawal .* done/.test(detail)).length;
}
