import { brlFromCents, MIN_CHARGE_CENTS } from '@jangada/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { inTransaction } from '../../src/db/transaction.ts';
import { expireCharges, settleReceived } from '../../src/payments/index.ts';
import { type AtBank, PspUnknown, storeHints } from '../../src/psp/index.ts';
import { refundLoops } from '../../src/refunds/index.ts';
import { Refusal } from '../../src/refusal.ts';
import {
  cancelCycle,
  cancelSubscription,
  chargeCycle,
  setCycleAmount,
} from '../../src/subscriptions/change-subscription.ts';
import { createSubscription } from '../../src/subscriptions/create-subscription.ts';
import { subscriptionLoops } from '../../src/subscriptions/index.ts';
import { randomCpf } from '../random-cpf.ts';
import { withPsp } from '../with-psp.ts';
import { Agenda } from './agenda.ts';
import { cycleStart, HOUR, MINUTE, momentOn, readDay, SECOND } from './calendar.ts';
import { PERIODS } from './engine-words.ts';
import { type FaultRates, FaultyLine } from './faults.ts';
import { judge, type Verdict } from './judge.ts';
import type { MerchantAct } from './merchant-acts.ts';
import type { Random } from './random.ts';
import type { BankRules, Notice } from './rule-book.ts';
import type { Scenario } from './scenario.ts';
import { type BankHabits, CodeBank, codeOfMandate, type PayersWish, ServerBank } from './server-bank.ts';
import { complaintsAbout, type EndedCycle, recordsOf } from './server-records.ts';

interface ServerWorld {
  /** Of a gateway without background work. Its bank is replaced, and its clock. */
  readonly deps: AtBank;
  readonly lives: readonly Life[];
  readonly rules: BankRules;
  readonly habits: BankHabits;
  readonly faults: FaultRates;
  readonly random: Random;
}

/** A subscription's life, and the account whose it is. */
export interface Life {
  readonly merchantId: number;
  readonly authorization: 'code' | 'pay' | 'push';
  readonly scenario: Scenario;
  readonly acts: readonly MerchantAct[];
}

export interface ServerPlayer extends Life {
  readonly id: string;
  readonly contract: string;
  merchantEndedAt: number | null;
  readonly merchantCancelled: Map<number, number>;
  /** The amounts that the server accepted for cycles. */
  readonly agreed: Map<number, number>;
  readonly ended: Map<number, EndedCycle>;
}

/** How long after its last cycle a subscription is judged. */
const QUIET_DAYS = 30;
/** How late mandates are looked at that nothing has happened to: more often shows no more, and takes long to play. */
const MOST_LATE_LOOK = HOUR;
/** A loop that finds something due each time, at the same moment, never rests. */
const MOST_ROUNDS = 50;
/** A bank that was read this often about one mandate was asked without end. */
const MOST_READINGS = 6_000;

/**
 * Plays lives against one bank of the rule book and the server's own loops, on its database, moment by moment. Returns the
 * judge's verdicts, and what else is wrong.
 */
export async function playOnServer(
  world: ServerWorld,
): Promise<{ verdicts: Verdict[]; complaints: string[] }> {
  const { lives, rules, habits, faults, random } = world;
  let now = Math.min(...lives.map(({ scenario }) => scenario.createdAt));
  const end = Math.max(...lives.map(endOfLife));
  const bank = new CodeBank(now, random, rules);
  const line = new FaultyLine(bank, random, faults);
  const server = new ServerBank(bank, line, habits, () => now);
  const complaints: string[] = [];
  const log = pino(
    { level: 'error' },
    { write: (text: string) => void complaints.push(`${new Date(now).toISOString()} ${text.trim()}`) },
  );
  const deps = withPsp({ ...world.deps, log, clock: { now: () => new Date(now) } }, server.toPsp());
  const { db } = deps;
  const agenda = new Agenda();
  const players = new Map<string, ServerPlayer>();
  let workAt: number | null = null;
  let foreseen: Due | undefined;
  let running: Promise<void> | undefined;
  const plan = (at: number, act: () => Promise<void>) =>
    agenda.add(Math.max(at, now), () => {
      running = act();
    });
  /** The loops run every other second. */
  const wake = () => {
    foreseen = undefined;
    workAt = Math.min(workAt ?? Infinity, now + random.between(0, 2 * SECOND));
  };
  const idRecOf = ({ contract }: ServerPlayer) => server.madeFor(contract)[0]?.idRec;
  const playerOf = (idRec: string) => {
    const contract = server.mandates.get(idRec)?.contract;
    return [...players.values()].find((player) => player.contract === contract);
  };

  const isOver = (player: ServerPlayer) => {
    const idRec = idRecOf(player);
    return idRec !== undefined && bank.record(idRec).endedAt !== null;
  };

  // ---- the server at work ----

  const workers: Readonly<Record<keyof Due, () => Promise<unknown>>> = {
    ...loopsByDue(deps),
    charges: () => expireCharges(deps),
    refunds: async () => {
      for (const { work } of refundLoops) await work(deps);
    },
  };

  const work = async () => {
    let due: Due | undefined = foreseen;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const known: Due = due ?? (await readDue(deps));
      const kinds = dueKinds.filter((kind) => (known[kind]?.getTime() ?? Infinity) <= now);
      if (kinds.length === 0) {
        foreseen = known;
        workAt = null;
        for (const kind of dueKinds) {
          const moment = known[kind]?.getTime();
          if (moment === undefined) continue;
          const latest = kind === 'mandates' ? MOST_LATE_LOOK : 2 * SECOND;
          workAt = Math.min(workAt ?? Infinity, Math.max(moment, now + SECOND) + random.between(0, latest));
        }
        return;
      }
      for (const kind of kinds) await workers[kind]();
      if (kinds.includes('cycles')) await noteEnded();
      due = undefined;
    }
    complaints.push(`${new Date(now).toISOString()} the loops find something due without end`);
    workAt = now + HOUR;
  };

  const noteEnded = async () => {
    const rows = await db
      .selectFrom('cycles')
      .select(['subscription_id', 'number', 'status', 'reason', 'code'])
      .where('updated_at', '=', new Date(now))
      .where('status', 'in', ['paid', 'given_up', 'cancelled'])
      .execute();
    for (const { subscription_id, number, status, reason, code } of rows) {
      const known = players.get(subscription_id)?.ended;
      if (known !== undefined && known.get(number)?.status !== status)
        known.set(number, { status, reason, code, at: now });
    }
  };

  // ---- what reaches the server ----

  const deliver = async (notice: Notice, attempt = 0): Promise<void> => {
    if (playerOf(notice.idRec) === undefined) return;
    if (notice.kind !== 'money') {
      const hint =
        notice.kind === 'mandate'
          ? ({ kind: 'mandate', reference: notice.idRec } as const)
          : ({ kind: 'debit', reference: notice.charge.txid } as const);
      await storeHints({ db, now: new Date(now) }, deps.connection.id, [hint]);
      line.delivered(notice);
    } else {
      const isBooked = await book(notice.pix.endToEndId);
      if (!isBooked)
        return plan(now + Math.min(15 * MINUTE, 2 ** attempt * SECOND), () => deliver(notice, attempt + 1));
      line.delivered(notice);
    }
    wake();
  };

  /** As notices of Pix are processed: only what the bank itself says is booked. */
  const book = async (endToEndId: string): Promise<boolean> => {
    try {
      const pix = await deps.psp.findReceivedPix(endToEndId);
      if (pix === undefined) return false;
      await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.connection));
      return true;
    } catch (error) {
      if (error instanceof PspUnknown) return false;
      throw error;
    }
  };

  // ---- merchants ----

  const begin = async (life: Life) => {
    const { merchantId, scenario } = life;
    const by = { requestId: null, madeWith: 'rule-book', createdBy: null };
    const { id, contract } = await createSubscription(deps, merchantId, requestOf(life), by);
    const player: ServerPlayer = {
      ...life,
      ...{ id, contract, merchantEndedAt: null },
      ...{ merchantCancelled: new Map(), agreed: new Map(), ended: new Map() },
    };
    players.set(id, player);
    for (const { at, act } of scenario.acts)
      plan(at, () => (act === 'merchant-ends' ? endByMerchant(player) : actAtBank(player, act)));
    for (const act of life.acts)
      if (act.at >= now || act.does === 'set-amount') plan(act.at, () => actAsMerchant(player, act));
    wake();
  };

  const endByMerchant = async (player: ServerPlayer) => {
    if (player.merchantEndedAt !== null) return;
    player.merchantEndedAt = now;
    await unlessRefused(() => cancelSubscription(deps, player.merchantId, player.id));
    wake();
  };

  const actAsMerchant = async (player: ServerPlayer, act: MerchantAct, attempt = 0): Promise<void> => {
    const { does, cycle, cents } = act;
    const key = { merchantId: player.merchantId, subscriptionId: player.id, number: cycle + 1 };
    switch (does) {
      case 'set-amount': {
        const refused = await unlessRefused(() => setCycleAmount(deps, key, brlFromCents(cents)));
        if (refused === undefined) player.agreed.set(cycle, cents);
        // It is not planned yet.
        if (refused === 'CYCLE_NOT_FOUND' && attempt < 300 && !isOver(player))
          return plan(now + 30 * MINUTE, () => actAsMerchant(player, act, attempt + 1));
        break;
      }
      case 'cancel-cycle':
        if ((await unlessRefused(() => cancelCycle(deps, key))) === undefined)
          player.merchantCancelled.set(cycle, now);
        break;
      case 'ask-for-code':
        await unlessRefused(() => chargeCycle(deps, key));
        break;
      case 'pay-code':
        await payCycle(player, cycle);
        break;
      case 'pay-and-ask-again':
        if (!(await payCycle(player, cycle))) break;
        plan(now + random.between(0, MINUTE), async () => {
          await unlessRefused(() => chargeCycle(deps, key));
          wake();
        });
    }
    wake();
  };

  // ---- payers and their banks ----

  const actAtBank = async (
    player: ServerPlayer,
    act: (bank: CodeBank, idRec: string) => void,
    attempt = 0,
  ): Promise<void> => {
    const idRec = idRecOf(player);
    if (idRec === undefined) {
      // Nobody can do anything about a mandate that was not made yet.
      if (attempt < 100) plan(now + 10 * MINUTE, () => actAtBank(player, act, attempt + 1));
      return;
    }
    act(bank, idRec);
    for (const wish of bank.wishes.splice(0)) await fulfil(player, wish);
  };

  const fulfil = async (player: ServerPlayer, wish: PayersWish): Promise<void> => {
    if (wish.wants === 'allow') return allow(player, wish.idRec);
    await payCycle(player, wish.cycle);
  };

  const allow = async (player: ServerPlayer, idRec: string, attempt = 0): Promise<void> => {
    if (bank.record(idRec).status !== 'CRIADA') return;
    if (await allowNow(player, idRec)) return;
    if (attempt < 48) return plan(now + HOUR, () => allow(player, idRec, attempt + 1));
    complaints.push(
      `${new Date(now).toISOString()} ${idRec}: who wants to allow debits (${player.authorization}) cannot`,
    );
  };

  /** Allows the debits by what the server shows the payer, if that is there. */
  const allowNow = async ({ id, authorization }: ServerPlayer, idRec: string): Promise<boolean> => {
    if (authorization === 'push')
      return server.mandates.get(idRec)?.isPushed === true && bank.allow(idRec, 'JORNADA_1', 0, null);
    const shown = await db
      .selectFrom('mandates')
      .innerJoin('subscriptions', 'subscriptions.id', 'mandates.subscription_id')
      .leftJoin('charges', 'charges.id', 'subscriptions.first_charge_id')
      .select(['mandates.br_code', 'charges.txid'])
      .where('mandates.subscription_id', '=', id)
      .executeTakeFirstOrThrow();
    if (authorization === 'code')
      return shown.br_code === codeOfMandate(idRec) && bank.allow(idRec, 'JORNADA_2', 0, null);
    const code = shown.txid === null ? undefined : server.payable(shown.txid);
    if (code === undefined || shown.br_code !== codeOfMandate(idRec, code.txid)) return false;
    code.isPaid = true;
    return bank.allow(idRec, 'JORNADA_3', code.amountCents, code.txid);
  };

  /** Pays a cycle by its code, which the merchant asks for if there is none. */
  const payCycle = async (player: ServerPlayer, cycle: number): Promise<boolean> => {
    const idRec = idRecOf(player);
    const key = { merchantId: player.merchantId, subscriptionId: player.id, number: cycle + 1 };
    const shown = await db
      .selectFrom('cycle_codes')
      .innerJoin('charges', 'charges.id', 'cycle_codes.charge_id')
      .select('charges.txid')
      .where('cycle_codes.subscription_id', '=', player.id)
      .where('cycle_codes.number', '=', key.number)
      .orderBy('charges.id')
      .execute();
    // A payer may still have an earlier code.
    let txid = shown.map((code) => code.txid).find((known) => server.payable(known) !== undefined);
    if (txid === undefined) {
      await unlessRefused(async () => {
        txid = (await chargeCycle(deps, key)).txid;
      });
      wake();
    }
    const code = txid === undefined ? undefined : server.payable(txid);
    if (code === undefined || idRec === undefined) return false;
    code.isPaid = true;
    bank.payCode(idRec, cycle, code);
    return true;
  };

  // ---- time ----

  for (const life of lives) plan(life.scenario.createdAt, () => begin(life));
  for (;;) {
    const next = Math.min(bank.nextMoment() ?? Infinity, agenda.nextMoment() ?? Infinity, workAt ?? Infinity);
    if (next > end) break;
    now = Math.max(now, next);
    line.setNow(now);
    for (const notice of bank.advanceTo(now))
      for (const at of line.deliveries(notice)) plan(at, () => deliver(notice));
    if ((agenda.nextMoment() ?? Infinity) <= now) {
      agenda.take()?.act();
      await running;
    } else if (workAt !== null && workAt <= now) await work();
  }
  const verdicts: Verdict[] = [];
  for (const player of players.values()) {
    const { scenario, agreed, merchantEndedAt, merchantCancelled } = player;
    const idRec = idRecOf(player);
    if (idRec === undefined) continue;
    const mandate = bank.record(idRec);
    const conversation = line.about(idRec);
    const records = await recordsOf(db, player, mandate, conversation);
    const amountCents = (cycle: number) => agreed.get(cycle) ?? scenario.amountCents(cycle);
    const neverSleeps = (server.readings.get(idRec) ?? 0) > MOST_READINGS;
    verdicts.push(
      judge({
        ...{ mandate, conversation, records, merchantEndedAt, merchantCancelled, neverSleeps, rules },
        reactsWithin: MINUTE,
        scenario: { ...scenario, amountCents },
      }),
    );
  }
  complaints.push(...(await complaintsAbout(deps, [...players.values()], server, bank)));
  return { verdicts, complaints };
}

function endOfLife({ scenario: { terms, cycles } }: Life): number {
  return momentOn(cycleStart(readDay(terms.firstDay), terms.period, cycles) + QUIET_DAYS);
}

/** Returns the code of the refusal, if it is refused. */
async function unlessRefused(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

function requestOf({ scenario, authorization }: Life): Parameters<typeof createSubscription>[2] {
  const { terms, retryDays, amountCents } = scenario;
  const { fixedCents, minimumCents } = terms;
  const isFixed = fixedCents !== null;
  return {
    payer: { name: 'Ana Souza', document: randomCpf() },
    description: 'Mensalidade',
    amount: isFixed ? brlFromCents(fixedCents) : null,
    min_maximum: minimumCents === null ? null : brlFromCents(Math.max(minimumCents, MIN_CHARGE_CENTS)),
    period: PERIODS[terms.period],
    first_day: terms.firstDay,
    last_day: terms.lastDay,
    retry_days: terms.retriesAllowed ? [...retryDays] : [],
    authorization,
    ...(authorization === 'pay' && { first_payment: { amount: brlFromCents(amountCents(0)) } }),
    ...(authorization === 'push' && { payer_account: { ispb: '12345678', branch: '1', number: '123' } }),
  };
}

// ---- when the loops have something to do ----

/** The earliest moment at which each part of the background work is due. */
type Due = Record<'hints' | 'mandates' | 'plans' | 'cycles' | 'charges' | 'refunds', Date | null>;
const dueKinds = ['hints', 'mandates', 'plans', 'cycles', 'charges', 'refunds'] as const;

async function readDue({ db }: Pick<AtBank, 'db'>): Promise<Due> {
  const { rows } = await sql<Due>`
    select (select min(due_at) from bank_hints where kind in ('mandate', 'debit')) as hints,
           (select min(check_at) from mandates) as mandates, (select min(plan_at) from subscriptions) as plans,
           (select min(check_at) from cycles) as cycles, (select min(next_check_at) from open_charges) as charges,
           (select min(due_at) from refunds) as refunds
  `.execute(db);
  const [due] = rows;
  if (due === undefined) throw new Error('the database gave no row');
  return due;
}

/** The server's loops of subscriptions, each by what it is due for. */
function loopsByDue(deps: AtBank) {
  const workOf = (name: string) => {
    const loop = subscriptionLoops.find((one) => one.name === name);
    if (loop === undefined) throw new Error(`the server has no loop named ${name}`);
    return () => loop.work(deps);
  };
  return {
    hints: workOf('mandate hints'),
    mandates: workOf('mandates'),
    plans: workOf('plan cycles'),
    cycles: workOf('cycles'),
  };
}
