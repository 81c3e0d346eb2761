import { setTimeout as pause } from 'node:timers/promises';
import { counterCode, createdPayment } from '@jangada/contract';
import { sql } from 'kysely';
import { backgroundLoops } from '../../src/background-work.ts';
import { auditLedger, readBalances } from '../../src/ledger/index.ts';
import { createNoticeProcessor, type NoticeProcessor } from '../../src/payments/index.ts';
import type { ApiAnswer, TestGateway } from '../gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, givenPin, givenPinDigits, read } from '../given.ts';
import { bankIsBusy } from './bank-is-busy.ts';
import { MerchantModel, type ModelCharge, type ModelTerms, sum } from './model.ts';
import type { Random } from './random.ts';

/** A merchant in the gateway and in the model. */
export type Actor = {
  readonly merchant: GivenMerchant;
  readonly model: MerchantModel;
  /** The BR Code of a counter code. */
  readonly counter: string;
  readonly charges: {
    readonly id: string;
    readonly brCode: string;
    readonly expiresAt: number;
    readonly model: ModelCharge;
    /** Set once it is paid. */
    endToEndId: string;
    /** The id of the open dispute. */
    disputeId: string;
    /** Paid at the bank, so it must not expire in the model. */
    lateMoney: boolean;
  }[];
};

export type Machine = {
  readonly gateway: TestGateway;
  readonly actors: readonly Actor[];
  readonly random: Random;
  readonly notices: NoticeProcessor;
  /** The steps so far, to explain a difference. */
  readonly story: string[];
  /** Received Pix in suspense. */
  strayCents: number;
  /** Whether time has moved or the bank withheld notices since the last full sweep. */
  sweepAll: boolean;
};

const terms: readonly ModelTerms[] = [
  { inRate: 99, fixInCents: 0, outRate: 0, fixOutCents: 150, reserveRate: 0, reserveDays: 0 },
  { inRate: 150, fixInCents: 10, outRate: 50, fixOutCents: 100, reserveRate: 1000, reserveDays: 2 },
  { inRate: 0, fixInCents: 0, outRate: 0, fixOutCents: 0, reserveRate: 2500, reserveDays: 10 },
];

export const destination = 'maria@example.com';

/** Merchants with different fees and reserves, who may withdraw by API key. */
export async function startMachine(gateway: TestGateway, random: Random): Promise<Machine> {
  const admin = await givenAdmin(gateway);
  const actors: Actor[] = [];
  for (const one of terms) {
    const taxes = {
      pix: {
        in: one.inRate / 100,
        out: one.outRate / 100,
        fixIn: one.fixInCents / 100,
        fixOut: one.fixOutCents / 100,
      },
      crypto: 0,
      reserve: {
        enabled: one.reserveDays > 0,
        percentage: one.reserveRate / 100,
        liberationTime: one.reserveDays,
      },
    };
    const merchant = await givenMerchant(gateway, { admin, account: { taxes } });
    await allowWithdrawals(gateway, merchant);
    const { apiKey } = merchant;
    const made = await gateway.api('POST', '/counter-codes', { name: 'Caixa' }, { apiKey });
    const { text: counter } = read(counterCode, made);
    actors.push({ merchant, model: new MerchantModel(one), counter, charges: [] });
  }
  return {
    gateway,
    actors,
    random,
    notices: createNoticeProcessor(gateway.deps),
    story: [],
    strayCents: 0,
    sweepAll: true,
  };
}

/** By API key, to one destination. */
async function allowWithdrawals(gateway: TestGateway, merchant: GivenMerchant): Promise<void> {
  await givenPin(gateway, merchant);
  const { token } = merchant;
  const proof = { password: merchant.password, withdrawal_pin: givenPinDigits };
  const on = await gateway.api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, { token });
  const saving = { pixKey: destination, pix_key_type: 'email', ...proof };
  const saved = await gateway.api('POST', '/authed/api-withdrawals/destinations', saving, { token });
  if (on.status !== 200 || saved.status !== 201) throw new Error(JSON.stringify([on.body, saved.body]));
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

export function codeOf({ body }: ApiAnswer): string {
  const refusal = body as { error?: { code?: string } };
  return refusal.error?.code ?? '';
}

/** Creates a charge that is stored at the bank. */
export async function makeCharge(
  machine: Machine,
  actor: Actor,
  amount: number,
): Promise<Actor['charges'][number]> {
  const answer = await call(machine, actor, 'POST', '/pix/new', {
    amount: amount / 100,
    expires_in: 3600,
    image: false,
  });
  const { id, content, expires_at } = read(createdPayment, answer);
  const expiresAt = Date.parse(expires_at);
  const model = actor.model.charge(amount);
  const charge = { id, brCode: content, expiresAt, model, endToEndId: '', disputeId: '', lateMoney: false };
  actor.charges.push(charge);
  return charge;
}

/** The jobs that process the bank's answers and send orders; the other jobs only wait for a time. */
const quick = new Set([
  'withdrawals',
  'withdrawal look-ups',
  'refunds',
  'returns',
  'disputes',
  'dispute-care',
]);

/** One pass of all background jobs, or of the quick ones. */
export async function sweepOnce(
  { gateway, notices }: Machine,
  which: 'all' | 'quick' = 'all',
): Promise<void> {
  await notices.sweep();
  await notices.idle(10_000);
  for (const { name, work } of backgroundLoops)
    if (which === 'all' || quick.has(name)) await work(gateway.deps);
}

type Standing = {
  /** When the next pending item is due; undefined if nothing is pending. */
  readonly next: Date | undefined;
  /** Whether the bank has work in progress. */
  readonly busy: boolean;
};

async function lookAround({ gateway }: Machine): Promise<Standing> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(coalesce(due_at, 'epoch')) as next
    from (
      select due_at from psp_inbox where state = 'waiting'
      union all select due_at from bank_hints
      union all select due_at from withdrawals where status in ('pending', 'processing')
      union all select due_at from refunds where status = 'processing'
    ) thing
  `.execute(gateway.deps.db);
  return { next: rows[0]?.next ?? undefined, busy: await bankIsBusy(gateway.bank) };
}

/** How often the bank is polled before time is moved: it needs a few milliseconds for its work. */
const patientLooks = 10;

/** Works until nothing is pending, moving time where only that helps. */
export async function settle(machine: Machine): Promise<void> {
  await sweepOnce(machine, machine.sweepAll ? 'all' : 'quick');
  machine.sweepAll = false;
  for (let looks = 1; looks <= 1000; looks += 1) {
    const { next, busy } = await lookAround(machine);
    if (next === undefined && !busy) {
      // The bank's last answers may have caused work that is not counted above.
      await sweepOnce(machine, 'quick');
      return followTime(machine);
    }
    const waitMs = next === undefined ? 60_000 : next.getTime() - machine.gateway.deps.clock.now().getTime();
    if (waitMs <= 0) await sweepOnce(machine, 'quick');
    else if (busy && looks % patientLooks > 0) await pause(8);
    else {
      await pass(machine, Math.ceil(waitMs / 1000));
      await sweepOnce(machine);
    }
  }
  throw new Error('The pending work never ends');
}

/** Moves time in the gateway, at the bank and in the model. */
export async function pass(machine: Machine, seconds: number): Promise<void> {
  await machine.gateway.advance(seconds);
  machine.sweepAll = true;
  followTime(machine);
}

function followTime({ gateway, actors }: Machine): void {
  const now = gateway.deps.clock.now().getTime();
  for (const { model, charges } of actors) {
    model.reach(now);
    for (const charge of charges)
      if (charge.model.status === 'pending' && !charge.lateMoney && charge.expiresAt + 60_000 <= now)
        charge.model.status = 'expired';
  }
}

/** Every difference between the gateway's books, the model and the bank, in words. */
export async function findDifferences(machine: Machine): Promise<string[]> {
  const { gateway, actors } = machine;
  const found: string[] = [];
  const same = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) found.push(`${what}: the gateway has ${String(ours)}, not ${String(theirs)}`);
  };
  let held = machine.strayCents;
  for (const [nth, { merchant, model, charges }] of actors.entries()) {
    const balances = await readBalances(gateway.deps.db, merchant.id);
    same(`${nth} available`, balances.available, model.available);
    same(`${nth} reserved`, balances.reserved, model.reserved);
    same(`${nth} blocked`, balances.blocked, model.blocked);
    same(`${nth} in transit`, balances.in_transit, 0);
    same(`${nth} debt`, -balances.receivable, model.debt);
    same(`${nth} fees`, balances.fees, model.fees);
    same(`${nth} held by the bank`, -balances.psp, model.held);
    held += model.held;
    const rows = await gateway.deps.db
      .selectFrom('charges')
      .select(['id', 'status', 'refunded_cents'])
      .where('merchant_id', '=', merchant.id)
      .execute();
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const charge of charges) {
      same(`${nth} charge ${charge.id}`, stored.get(charge.id)?.status, charge.model.status);
      same(`${nth} returned of ${charge.id}`, stored.get(charge.id)?.refunded_cents, charge.model.returned);
    }
    const done = await gateway.deps.db
      .selectFrom('merchant_counters')
      .select(['completed_withdrawals_count', 'completed_withdrawals_cents', 'failed_withdrawals_count'])
      .where('merchant_id', '=', merchant.id)
      .executeTakeFirstOrThrow();
    same(`${nth} withdrawals`, done.completed_withdrawals_count, model.withdrawals.completed);
    same(`${nth} withdrawn`, done.completed_withdrawals_cents, model.withdrawals.completedCents);
    same(`${nth} failed withdrawals`, done.failed_withdrawals_count, model.withdrawals.failed);
  }
  const platform = await readBalances(gateway.deps.db, 0);
  same('suspense', platform.suspense, machine.strayCents);
  same("the bank's account", await gateway.bank.balanceCents(), held);
  const everything = await Promise.all(
    [0, ...actors.map(({ merchant }) => merchant.id)].map((id) => readBalances(gateway.deps.db, id)),
  );
  same('all balances together', sum(everything.flatMap((balances) => Object.values(balances))), 0);
  for (const { check, detail } of await auditLedger(gateway.deps.db))
    found.push(`audit: ${check}: ${detail}`);
  return found;
}
