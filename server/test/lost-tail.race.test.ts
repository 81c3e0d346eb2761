import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backgroundLoops } from '../src/background-work.ts';
import { handleFailover } from '../src/failover.ts';
import { auditLedger } from '../src/ledger/index.ts';
import { readPayoutsStop } from '../src/payouts-stop.ts';
import { CLUSTER_VARIABLE } from './cluster.ts';
import { type GivenMerchant, givenBalance, givenCharge } from './given.ts';
import { givenAdjustment } from './given-adjustment.ts';
import { PrimaryAndStandby } from './primary-and-standby.ts';
import { givenRefund } from './refunds.ts';
import { WithdrawalStand } from './withdrawal-stand.ts';

// An asynchronous standby is promoted that lacks the latest transactions of its primary, which the bank carried out.

const rounds = process.env['LONG'] === '1' ? 20 : 2;

let directory: string;
let servers: PrimaryAndStandby;
let stand: WithdrawalStand;
const commonCluster = process.env[CLUSTER_VARIABLE];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'jangada-lost-tail-'));
  chmodSync(directory, 0o711);
  servers = await PrimaryAndStandby.start(directory, { synchronous: false });
  process.env[CLUSTER_VARIABLE] = servers.primaryUrl('postgres');
  stand = await WithdrawalStand.start({}, { databaseUrl: (appUrl) => servers.urlOfBoth(appUrl) });
});

afterAll(async () => {
  try {
    process.env[CLUSTER_VARIABLE] = servers.primaryUrl('postgres');
    await stand.gateway.stop();
    await servers.stop();
  } finally {
    if (commonCluster !== undefined) process.env[CLUSTER_VARIABLE] = commonCluster;
    rmSync(directory, { recursive: true, force: true });
  }
});

const runLoop = (name: string) => backgroundLoops.find((loop) => loop.name === name)?.work(stand.deps);
const readStop = () => readPayoutsStop(stand.deps.db);

/** Promotes the standby while the primary is killed, and waits until the gateway works on the new primary. */
async function failOver(): Promise<void> {
  servers.failPrimary('kill');
  await servers.promote();
  await expect.poll(() => handleFailover(stand.deps).then(() => true, String)).toBe(true);
  expect(await readStop()).toMatch(/^o banco de dados passou a outro servidor/);
}

/** Lets the gateway compare with the bank until nothing that it can book by itself is missing. */
async function compare(): Promise<void> {
  await runLoop('reconciliation');
  await stand.reconcile();
  await sql`update gateway set compare_with_bank_at = now() where compare_with_bank_at is not null`.execute(
    stand.deps.db,
  );
  await handleFailover(stand.deps);
}

const withdrawnCents = 90_00;
/** The amount that the bank sends for a withdrawal: less the fee. */
const sentCents = 88_50;

/** Books a withdrawal that the database lost, as the operator does, and resumes payouts. */
async function explain(merchant: GivenMerchant, idEnvio: string): Promise<void> {
  const { deps, gateway, admin } = stand;
  await givenAdjustment(deps, merchant.id, -withdrawnCents);
  const items = await deps.db
    .selectFrom('open_items')
    .select('id')
    .where('reference', '=', idEnvio)
    .execute();
  for (const { id } of items) {
    const body = { evidence: 'Saque perdido na troca de servidor, lançado como ajuste.' };
    const path = `/admin/open-items/${id}/close`;
    expect(await gateway.api('POST', path, body, { token: admin.token })).toMatchObject({ status: 200 });
  }
  const resume = { reason: 'conferido com a lista do banco' };
  const answer = await gateway.api('POST', '/admin/payouts/resume', resume, { token: admin.token });
  expect(answer).toMatchObject({ status: 200 });
}

test('what the bank carried out is not lost and not sent again, and payouts go on by themselves unless a payout is unknown', async () => {
  let lostPayouts = 0;
  for (let round = 0; round < rounds; round += 1) {
    const merchant = await stand.createFundedMerchant(300);
    const refunded = await givenBalance(stand.gateway, merchant, 50);
    const charge = await givenCharge(stand.gateway, merchant, { amount: 30 });
    // Either the standby has the withdrawal and does not know that it was sent, or it lacks the withdrawal.
    const isLost = round % 2 === 0;
    const ask = () => stand.ask(merchant, { amount: withdrawnCents / 100 });
    const known = isLost ? undefined : await ask();
    await servers.waitUntilReplicated();
    servers.cutReplication();
    const { id } = known ?? (await ask());
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, id, 'completed');
    const { id_envio: idEnvio } = await stand.rowOf(id);
    const paid = await stand.gateway.bank.pay({ brCode: charge.content });
    await stand.bookReceivedPix(paid);
    await givenRefund(stand.gateway, merchant, refunded.chargeId, { amount: 20 });
    await runLoop('refunds');
    const balanceBefore = await stand.gateway.bank.balanceCents();
    await failOver();

    // The balance is the one from before the lost withdrawal, and would allow another.
    if (isLost) await expect(ask()).rejects.toThrow('WITHDRAWALS_PAUSED');
    await stand.sendDueWithdrawals();
    expect(await stand.gateway.bank.balanceCents()).toBe(balanceBefore);
    await expect
      .poll(async () => {
        await compare();
        return isLost ? stand.readOpenItemKinds(idEnvio) : readStop();
      })
      .toEqual(isLost ? ['payout-not-debited'] : null);
    if (isLost) {
      lostPayouts += 1;
      expect(await readStop()).toMatch(/^o banco de dados passou a outro servidor/);
      await explain(merchant, idEnvio);
    }
    await servers.addStandby();
    const { id: idNow } = known ?? (await ask());
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(merchant, idNow, 'completed');
    expect(await stand.payoutsOf(idNow)).toHaveLength(1);
    expect(
      await stand.deps.db
        .selectFrom('received_pix')
        .select('charge_id')
        .where('end_to_end_id', '=', paid)
        .execute(),
    ).toEqual([{ charge_id: charge.id }]);
    expect(await auditLedger(stand.deps.db)).toEqual([]);
    const { rows } = await sql<{ held: number }>`
      select -sum(psp_cents)::bigint as held from ledger_balances`.execute(stand.deps.db);
    // The operator's adjustment says what left; the books still hold it at the bank.
    expect(await stand.gateway.bank.balanceCents()).toBe(Number(rows[0]?.held) - lostPayouts * sentCents);
  }
  console.log(`${rounds} failovers with a lost tail, ${lostPayouts} of them lost a payout`);
});
