import { setTimeout as pause } from 'node:timers/promises';
import { counterCode, createdPayment } from '@jangada/contract';
import { sql } from 'kysely';
import { backgroundLoops } from '../../src/background-work.ts';
import { auditLedger, readBalances } from '../../src/ledger/index.ts';
import { createNoticeProcessor, type NoticeProcessor } from '../../src/payments/index.ts';
import type { ApiAnswer, TestGateway } from '../gateway.ts';
import {
  defaultPin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  givenPin,
  parseSuccess,
} from '../given.ts';
import { bankIsBusy } from './bank-is-busy.ts';
import { MerchantModel, type ModelCharge, type ModelTerms, sum } from './model.ts';
import type { Random } from './random.ts';

/** A merchant in the gateway and in the model. */
export type Actor = {
  readonly merchant: GivenMerchant;
  readonly model: MerchantModel;
  /** The BR Code of the merchant's counter code. */
  readonly counterBrCode: string;
  readonly charges: {
    readonly id: string;
    readonly brCode: string;
    readonly expiresAt: number;
    readonly model: ModelCharge;
    /** Empty until the charge is paid. */
    endToEndId: string;
    /** The id of the latest dispute; empty if there was none. */
    disputeId: string;
    /**
     * Whether the charge was paid at the bank but the gateway does not know yet. Such a charge must not expire in the
     * model.
     */
    isPaidUnnoticed: boolean;
  }[];
};

export type Machine = {
  readonly gateway: TestGateway;
  readonly actors: readonly Actor[];
  readonly random: Random;
  readonly notices: NoticeProcessor;
  /** A line for each step so far, to explain a difference that is found later. */
  readonly stepLog: string[];
  /** The sum of received Pix that match no charge, which the gateway holds in suspense. */
  strayCents: number;
  /** Whether time has moved or the bank withheld notices since the last full sweep, so that all jobs may have work. */
  needsFullSweep: boolean;
};

const terms: readonly ModelTerms[] = [
  { inRate: 99, fixInCents: 0, outRate: 0, fixOutCents: 150, reserveRate: 0, reserveDays: 0 },
  { inRate: 150, fixInCents: 10, outRate: 50, fixOutCents: 100, reserveRate: 1000, reserveDays: 2 },
  { inRate: 0, fixInCents: 0, outRate: 0, fixOutCents: 0, reserveRate: 2500, reserveDays: 10 },
];

export const payeePixKey = 'maria@example.com';

/** Creates merchants with different fees and reserves, who may withdraw by API key. */
export async function startMachine(gateway: TestGateway, random: Random): Promise<Machine> {
  const admin = await givenAdmin(gateway);
  const actors: Actor[] = [];
  for (const merchantTerms of terms) {
    const taxes = {
      pix: {
        in: merchantTerms.inRate / 100,
        out: merchantTerms.outRate / 100,
        fixIn: merchantTerms.fixInCents / 100,
        fixOut: merchantTerms.fixOutCents / 100,
      },
      crypto: 0,
      reserve: {
        enabled: merchantTerms.reserveDays > 0,
        percentage: merchantTerms.reserveRate / 100,
        liberationTime: merchantTerms.reserveDays,
      },
    };
    const merchant = await givenMerchant(gateway, { admin, account: { taxes } });
    await allowWithdrawals(gateway, merchant);
    const { apiKey } = merchant;
    const created = await gateway.api('POST', '/counter-codes', { name: 'Caixa' }, { apiKey });
    const { text: counterBrCode } = parseSuccess(counterCode, created);
    actors.push({ merchant, model: new MerchantModel(merchantTerms), counterBrCode, charges: [] });
  }
  return {
    gateway,
    actors,
    random,
    notices: createNoticeProcessor(gateway.deps),
    stepLog: [],
    strayCents: 0,
    needsFullSweep: true,
  };
}

/** Allows withdrawals by API key to one destination. */
export async function allowWithdrawals(gateway: TestGateway, merchant: GivenMerchant): Promise<void> {
  await givenPin(gateway, merchant);
  const { token } = merchant;
  const proof = { password: merchant.password, withdrawal_pin: defaultPin };
  const enabled = await gateway.api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, { token });
  const body = { pixKey: payeePixKey, pix_key_type: 'email', ...proof };
  const saved = await gateway.api('POST', '/authed/api-withdrawals/destinations', body, { token });
  if (enabled.status !== 200 || saved.status !== 201)
    throw new Error(JSON.stringify([enabled.body, saved.body]));
}

export function call(
  { gateway }: Machine,
  { merchant }: Actor,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  return gateway.api(method, path, body, { apiKey: merchant.apiKey });
}

export function refusalCodeOf({ body }: ApiAnswer): string {
  const refusal = body as { error?: { code?: string } };
  return refusal.error?.code ?? '';
}

/** Creates a charge that is stored at the bank. */
export async function makeCharge(
  machine: Machine,
  actor: Actor,
  amount: number,
): Promise<Actor['charges'][number]> {
  const response = await call(machine, actor, 'POST', '/pix/new', {
    amount: amount / 100,
    expires_in: 3600,
    image: false,
  });
  const { id, content, expires_at } = parseSuccess(createdPayment, response);
  const expiresAt = Date.parse(expires_at);
  const model = actor.model.charge(amount);
  const charge = {
    id,
    brCode: content,
    expiresAt,
    model,
    endToEndId: '',
    disputeId: '',
    isPaidUnnoticed: false,
  };
  actor.charges.push(charge);
  return charge;
}

/** The jobs that process the bank's replies and send orders; the other jobs have work only after time has passed. */
const quickJobs = new Set([
  'withdrawals',
  'withdrawal look-ups',
  'refunds',
  'returns',
  'disputes',
  'dispute-care',
]);

/** One pass of all background jobs, or of the quick ones. */
export async function runJobsOnce(
  { gateway, notices }: Machine,
  which: 'all' | 'quick' = 'all',
): Promise<void> {
  await notices.sweep();
  await notices.waitUntilIdle(10_000);
  for (const { name, work } of backgroundLoops)
    if (which === 'all' || quickJobs.has(name)) await work(gateway.deps);
}

type PendingWork = {
  /** When the next pending item is due; undefined if nothing is pending. */
  readonly nextDueAt: Date | undefined;
  /** Whether the bank has work in progress. */
  readonly isBankBusy: boolean;
};

async function readPendingWork({ gateway }: Machine): Promise<PendingWork> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(coalesce(due_at, 'epoch')) as next
    from (
      select due_at from psp_inbox where state = 'waiting'
      union all select due_at from bank_hints
      union all select due_at from withdrawals where status in ('pending', 'processing')
      union all select due_at from refunds where status = 'processing'
    ) item
  `.execute(gateway.deps.db);
  return { nextDueAt: rows[0]?.next ?? undefined, isBankBusy: await bankIsBusy(gateway.bank) };
}

/** How often a busy bank is polled before the clocks are moved. The bank needs only a few milliseconds for its work. */
const pollsBeforeTimeMoves = 10;

/** Runs the background work until nothing is pending. Moves the clocks if the remaining work is due only later. */
export async function runUntilIdle(machine: Machine): Promise<void> {
  await runJobsOnce(machine, machine.needsFullSweep ? 'all' : 'quick');
  machine.needsFullSweep = false;
  for (let polls = 1; polls <= 1000; polls += 1) {
    const { nextDueAt, isBankBusy } = await readPendingWork(machine);
    if (nextDueAt === undefined && !isBankBusy) {
      // The bank's last replies may have caused work that `readPendingWork` does not count.
      await runJobsOnce(machine, 'quick');
      return followTime(machine);
    }
    const waitMs =
      nextDueAt === undefined ? 60_000 : nextDueAt.getTime() - machine.gateway.deps.clock.now().getTime();
    if (waitMs <= 0) await runJobsOnce(machine, 'quick');
    else if (isBankBusy && polls % pollsBeforeTimeMoves > 0) await pause(8);
    else {
      await advanceTime(machine, Math.ceil(waitMs / 1000));
      await runJobsOnce(machine);
    }
  }
  throw new Error('The pending work never ends');
}

/** Moves time in the gateway, at the bank and in the model. */
export async function advanceTime(machine: Machine, seconds: number): Promise<void> {
  await machine.gateway.advance(seconds);
  machine.needsFullSweep = true;
  followTime(machine);
}

function followTime({ gateway, actors }: Machine): void {
  const now = gateway.deps.clock.now().getTime();
  for (const { model, charges } of actors) {
    model.advanceTo(now);
    for (const charge of charges)
      if (charge.model.status === 'pending' && !charge.isPaidUnnoticed && charge.expiresAt + 60_000 <= now)
        charge.model.status = 'expired';
  }
}

/** Returns every difference between the gateway's books, the model and the bank, in words. */
export async function findDifferences(machine: Machine): Promise<string[]> {
  const { gateway, actors } = machine;
  const found: string[] = [];
  const compare = (what: string, ours: unknown, expected: unknown) => {
    if (ours !== expected) found.push(`${what}: the gateway has ${String(ours)}, not ${String(expected)}`);
  };
  let heldByBank = machine.strayCents;
  for (const [nth, { merchant, model, charges }] of actors.entries()) {
    const balances = await readBalances(gateway.deps.db, merchant.id);
    compare(`${nth} available`, balances.available, model.available);
    compare(`${nth} reserved`, balances.reserved, model.reserved);
    compare(`${nth} blocked`, balances.blocked, model.blocked);
    compare(`${nth} in transit`, balances.in_transit, 0);
    compare(`${nth} debt`, -balances.receivable, model.debt);
    compare(`${nth} fees`, balances.fees, model.fees);
    compare(`${nth} held by the bank`, -balances.psp, model.heldByBank);
    heldByBank += model.heldByBank;
    const rows = await gateway.deps.db
      .selectFrom('charges')
      .select(['id', 'status', 'refunded_cents'])
      .where('merchant_id', '=', merchant.id)
      .execute();
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const charge of charges) {
      compare(`${nth} charge ${charge.id}`, stored.get(charge.id)?.status, charge.model.status);
      compare(
        `${nth} returned of ${charge.id}`,
        stored.get(charge.id)?.refunded_cents,
        charge.model.returned,
      );
    }
    const counters = await gateway.deps.db
      .selectFrom('merchant_counters')
      .select(['completed_withdrawals_count', 'completed_withdrawals_cents', 'failed_withdrawals_count'])
      .where('merchant_id', '=', merchant.id)
      .executeTakeFirstOrThrow();
    compare(`${nth} withdrawals`, counters.completed_withdrawals_count, model.withdrawals.completed);
    compare(`${nth} withdrawn`, counters.completed_withdrawals_cents, model.withdrawals.completedCents);
    compare(`${nth} failed withdrawals`, counters.failed_withdrawals_count, model.withdrawals.failed);
  }
  const platform = await readBalances(gateway.deps.db, 0);
  compare('suspense', platform.suspense, machine.strayCents);
  compare("the bank's account", await gateway.bank.balanceCents(), heldByBank);
  const allBalances = await Promise.all(
    [0, ...actors.map(({ merchant }) => merchant.id)].map((id) => readBalances(gateway.deps.db, id)),
  );
  compare('all balances together', sum(allBalances.flatMap((balances) => Object.values(balances))), 0);
  for (const { check, detail } of await auditLedger(gateway.deps.db))
    found.push(`audit: ${check}: ${detail}`);
  return found;
}
