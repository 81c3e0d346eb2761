import { setTimeout as pause } from 'node:timers/promises';
import { backgroundLoops } from '../../src/background-work.ts';
import { bankIsBusy } from './bank-is-busy.ts';
import {
  type Actor,
  advanceTime,
  call,
  type Machine,
  makeCharge,
  payeePixKey,
  refusalCodeOf,
  runJobsOnce,
  runUntilIdle,
} from './machine.ts';

/**
 * One kind of step in a random test run. `run` returns what it did, in a few words, or undefined if the step was not
 * possible. When it returns, no work is pending and the model is updated.
 */
export type Command = {
  /** How often the step is chosen, relative to the others. */
  readonly weight: number;
  readonly run: (machine: Machine) => Promise<string | undefined>;
};

type Charge = Actor['charges'][number];

const now = ({ gateway }: Machine) => gateway.deps.clock.now().getTime();
// `pick` returns undefined only for an empty list, and a machine always has actors.
const someActor = ({ random, actors }: Machine) => random.pick(actors) as Actor;
const paidCharges = ({ charges }: Actor) => charges.filter(({ model }) => model.status === 'paid');
const reais = (cents: number) => (cents / 100).toFixed(2);

/** Some amounts of 13, 14 and 15 reais make the sandbox bank misbehave on purpose. */
const triggersBankMisbehaviour = (cents: number) => cents >= 1300 && cents < 1600;

function someAmount({ random }: Machine, least: number, most: number): number {
  const cents = random.between(least, most);
  return triggersBankMisbehaviour(cents) ? 1600 : cents;
}

const openCharges = (machine: Machine, { charges }: Actor) =>
  charges.filter(({ model, expiresAt }) => model.status === 'pending' && expiresAt > now(machine) + 60_000);

async function someOpenCharge(machine: Machine, actor: Actor): Promise<Charge> {
  return (
    machine.random.pick(openCharges(machine, actor)) ??
    makeCharge(machine, actor, someAmount(machine, 150, 60_000))
  );
}

async function payAndSettle(machine: Machine, actor: Actor, charge: Charge): Promise<void> {
  charge.endToEndId = await machine.gateway.bank.pay({ brCode: charge.brCode });
  await runUntilIdle(machine);
  actor.model.pay(charge.model, now(machine));
}

const charge: Command = {
  weight: 8,
  async run(machine) {
    const amount = someAmount(machine, 150, 60_000);
    await makeCharge(machine, someActor(machine), amount);
    return `charge of ${reais(amount)}`;
  },
};

const pay: Command = {
  weight: 14,
  async run(machine) {
    const actor = someActor(machine);
    const charge = await someOpenCharge(machine, actor);
    const notifications = machine.random.pick(['normal', 'duplicated', 'never'] as const);
    await machine.gateway.bank.setBehaviour({ notifications });
    machine.needsFullSweep ||= notifications === 'never';
    await payAndSettle(machine, actor, charge);
    await machine.gateway.bank.setBehaviour({});
    return `${reais(charge.model.amount)} paid, notices: ${notifications}`;
  },
};

/** A charge is paid in time, but the gateway finds the payment long after the expiry. */
const payLate: Command = {
  weight: 2,
  async run(machine) {
    const actor = someActor(machine);
    const charge = await someOpenCharge(machine, actor);
    await machine.gateway.bank.setBehaviour({ notifications: 'never' });
    machine.needsFullSweep = true;
    charge.endToEndId = await machine.gateway.bank.pay({ brCode: charge.brCode });
    charge.isPaidUnnoticed = true;
    await advanceTime(machine, machine.random.between(4000, 8000));
    await machine.gateway.bank.setBehaviour({});
    await runUntilIdle(machine);
    actor.model.pay(charge.model, now(machine));
    return `${reais(charge.model.amount)} paid in time and found late`;
  },
};

/** A Pix paid with a printed counter code, for which the gateway creates a charge. */
const payAtCounter: Command = {
  weight: 5,
  async run(machine) {
    const { gateway } = machine;
    const { db } = gateway.deps;
    const actor = someActor(machine);
    const amount = someAmount(machine, 1, 30_000);
    const notifications = machine.random.pick(['normal', 'duplicated', 'never'] as const);
    await gateway.bank.setBehaviour({ notifications });
    machine.needsFullSweep ||= notifications === 'never';
    const endToEndId = await gateway.bank.pay({ brCode: actor.counterBrCode, amount: amount / 100 });
    await runUntilIdle(machine);
    await gateway.bank.setBehaviour({});
    const model = actor.model.charge(amount);
    const what = `${reais(amount)} paid at the counter, notices: ${notifications}`;
    if (model.fee >= amount) {
      machine.strayCents += amount;
      return `${what}: less than its fee`;
    }
    const created = db.selectFrom('charges').select('id').where('end_to_end_id', '=', endToEndId);
    const { id } = await created.executeTakeFirstOrThrow();
    actor.charges.push({
      id,
      brCode: '',
      expiresAt: 0,
      model,
      endToEndId,
      disputeId: '',
      isPaidUnnoticed: false,
    });
    actor.model.pay(model, now(machine));
    return what;
  },
};

/** A Pix sent straight to the gateway's key, which matches no charge. */
const stray: Command = {
  weight: 2,
  async run(machine) {
    const { gateway } = machine;
    const amount = someAmount(machine, 1, 30_000);
    await gateway.bank.pay({ key: gateway.deps.config.pixKey, amount: amount / 100 });
    // The bank sends no notice of a Pix without a txid.
    machine.needsFullSweep = true;
    await runUntilIdle(machine);
    machine.strayCents += amount;
    return `${reais(amount)} of nobody`;
  },
};

/**
 * Throws if the gateway and the model disagree: the gateway must refuse a call if and only if the model has `reasons`
 * against it, and with one of them as the code. Returns whether the call was accepted.
 */
function checkOutcome(
  machine: Machine,
  what: string,
  status: number,
  code: string,
  reasons: readonly string[],
): boolean {
  const isRefused = status >= 400;
  if (isRefused !== reasons.length > 0 || (isRefused && !reasons.includes(code)))
    throw new Error(`${what}: ${status} ${code}, and the model says ${reasons.join(', ') || 'accepted'}`);
  machine.stepLog.push(isRefused ? `  refused: ${code}` : '  accepted');
  return !isRefused;
}

/**
 * The unblocked money in the bank account, in cents. All merchants share this account, and the bank blocks disputed
 * amounts in it, so it may refuse a payout or refund for which the merchant has the money.
 */
async function freeAtBank({ gateway }: Machine): Promise<number> {
  const balance = await gateway.deps.psp.account?.readBalance();
  if (balance === undefined) throw new Error('the bank of the tests reports its balance');
  return balance.freeCents;
}

const refund: Command = {
  weight: 10,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someActor(machine);
    const charge = random.pick(paidCharges(actor));
    if (charge === undefined) return undefined;
    const left = charge.model.amount - charge.model.returned;
    const isWhole = random.chance(40);
    const amount = isWhole ? left : random.between(1, left + (random.chance(10) ? 50 : 0));
    if (triggersBankMisbehaviour(amount)) return undefined;
    const mode = random.pick([
      'normal',
      'normal',
      'refused',
      'refused-in-call',
      'slow',
      'accepted-then-timeout',
      'down',
    ]);
    const isCovered = (await freeAtBank(machine)) >= amount;
    if (!isCovered && mode !== 'normal') return undefined;
    const reasons = [
      ...(charge.model.dispute === undefined ? [] : ['PAYMENT_IN_DISPUTE']),
      ...(actor.model.hasObligation ? ['DISPUTE_SHORTFALL'] : []),
      ...(amount > left ? ['REFUND_EXCEEDS_PAYMENT'] : []),
      ...(amount > actor.model.available ? ['INSUFFICIENT_BALANCE'] : []),
      ...(now(machine) - charge.model.paidAt > 90 * 86_400_000 ? ['REFUND_TOO_LATE'] : []),
    ];
    await gateway.bank.setBehaviour({ refunds: mode });
    const response = await call(
      machine,
      actor,
      'POST',
      `/pix/${charge.id}/refund`,
      isWhole ? {} : { amount: amount / 100 },
    );
    const what = `refund of ${reais(amount)} of ${reais(charge.model.amount)}, bank ${mode}`;
    const isAccepted = checkOutcome(machine, what, response.status, refusalCodeOf(response), reasons);
    if (isAccepted) await runJobsOnce(machine, 'quick');
    await gateway.bank.setBehaviour({});
    await runUntilIdle(machine);
    if (isAccepted && isCovered && mode !== 'refused' && mode !== 'refused-in-call')
      actor.model.refund(charge.model, amount);
    return what;
  },
};

const withdraw: Command = {
  weight: 12,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someActor(machine);
    const { model } = actor;
    if (model.available < 500 && random.chance(80)) return undefined;
    const amount = someAmount(machine, 400, Math.max(600, Math.min(model.available + 100, 200_000)));
    if (triggersBankMisbehaviour(amount - model.withdrawalFee(amount))) return undefined;
    const mode = random.pick([
      'normal',
      'normal',
      'refused',
      'refused-in-call',
      'slow',
      'accepted-then-timeout',
      'lost-then-timeout',
      'returned',
      'down',
      'wrong-notification',
    ]);
    const isCovered = (await freeAtBank(machine)) >= amount - model.withdrawalFee(amount);
    if (!isCovered && mode !== 'normal') return undefined;
    const reasons = [
      ...(amount < 500 ? ['WITHDRAWAL_MINIMUM'] : []),
      ...(model.withdrawalFee(amount) >= amount ? ['WITHDRAWAL_TOO_SMALL'] : []),
      ...(model.hasObligation ? ['DISPUTE_SHORTFALL'] : []),
      ...(amount > model.available ? ['INSUFFICIENT_BALANCE'] : []),
    ];
    await gateway.bank.setBehaviour({ payouts: mode });
    const body = { amount, pixKey: payeePixKey, keyType: 'email' };
    const response = await call(machine, actor, 'POST', '/withdraw', body);
    const what = `withdrawal of ${reais(amount)}, bank ${mode}`;
    const isAccepted = checkOutcome(machine, what, response.status, refusalCodeOf(response), reasons);
    if (isAccepted) await runJobsOnce(machine, 'quick');
    await gateway.bank.setBehaviour({});
    await runUntilIdle(machine);
    if (!isAccepted) return what;
    if (!isCovered || mode === 'refused' || mode === 'refused-in-call' || mode === 'wrong-notification')
      model.failWithdrawal();
    else model.withdraw(amount);
    if (mode === 'returned') {
      await advanceTime(machine, 3600);
      await runUntilIdle(machine);
      model.returnWithdrawal(amount);
    }
    return what;
  },
};

const dispute: Command = {
  weight: 5,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someActor(machine);
    const charge = random.pick(paidCharges(actor).filter(({ model }) => model.dispute === undefined));
    if (charge === undefined) return undefined;
    const left = charge.model.amount - charge.model.returned;
    const amount = random.chance(60) ? left : random.between(1, left);
    charge.disputeId = await gateway.bank.openDispute({ endToEndId: charge.endToEndId, amountCents: amount });
    await runUntilIdle(machine);
    actor.model.openDispute(charge.model, amount);
    return `${reais(amount)} of ${reais(charge.model.amount)} contested`;
  },
};

/** Withdraws everything before the payer contests, so that the blocked amount comes from reserves, if any. */
const emptyAndContest: Command = {
  weight: 6,
  async run(machine) {
    const { gateway, random, actors } = machine;
    const actor = random.pick(actors.filter(({ model }) => model.reserved > 0 && !model.hasObligation));
    const charge =
      actor && random.pick(paidCharges(actor).filter(({ model }) => model.dispute === undefined));
    if (actor === undefined || charge === undefined) return undefined;
    const { model } = actor;
    const net = model.available - model.withdrawalFee(model.available);
    const mayTake = model.available >= 500 && model.available <= 200_000 && !triggersBankMisbehaviour(net);
    if (mayTake && (await freeAtBank(machine)) >= net) {
      const body = { amount: model.available, pixKey: payeePixKey, keyType: 'email' };
      const response = await call(machine, actor, 'POST', '/withdraw', body);
      checkOutcome(machine, 'withdrawal of everything', response.status, refusalCodeOf(response), []);
      const amount = model.available;
      await runUntilIdle(machine);
      model.withdraw(amount);
    }
    const left = charge.model.amount - charge.model.returned;
    charge.disputeId = await gateway.bank.openDispute({ endToEndId: charge.endToEndId, amountCents: left });
    await runUntilIdle(machine);
    model.openDispute(charge.model, left);
    return `${reais(left)} contested of a merchant with ${reais(model.available)} left`;
  },
};

/** A payment that its merchant can refund now, and the refundable amount. */
async function someRefundable(
  machine: Machine,
): Promise<{ actor: Actor; charge: Charge; left: number; amount: number } | undefined> {
  const { random, actors } = machine;
  const actor = random.pick(actors.filter(({ model }) => !model.hasObligation));
  const recent = (charge: Charge) => now(machine) - charge.model.paidAt < 80 * 86_400_000;
  const charge =
    actor && random.pick(paidCharges(actor).filter((one) => one.model.dispute === undefined && recent(one)));
  if (actor === undefined || charge === undefined) return undefined;
  const left = charge.model.amount - charge.model.returned;
  const amount = random.between(1, Math.max(1, Math.min(left, actor.model.available)));
  const isCovered = amount <= actor.model.available && (await freeAtBank(machine)) >= amount;
  return isCovered && !triggersBankMisbehaviour(amount) ? { actor, charge, left, amount } : undefined;
}

function loopNamed(loopName: string): (typeof backgroundLoops)[number] {
  const loop = backgroundLoops.find(({ name }) => name === loopName);
  if (loop === undefined) throw new Error(`There is no loop ${loopName}`);
  return loop;
}

/** The payer contests, and the gateway processes the dispute and nothing else. */
async function contestOnly(machine: Machine, charge: Charge, amountCents: number): Promise<void> {
  const { gateway, notices } = machine;
  charge.disputeId = await gateway.bank.openDispute({ endToEndId: charge.endToEndId, amountCents });
  const known = gateway.deps.db
    .selectFrom('disputes')
    .select('id')
    .where('bank_dispute_id', '=', charge.disputeId);
  while ((await known.execute()).length === 0) {
    await pause(8);
    await notices.sweep();
    await notices.waitUntilIdle(10_000);
    await loopNamed('disputes').work(gateway.deps);
  }
}

/** The bank accepts a refund and then refuses it, and the payer contests before the look-up. */
const refusedUnderDispute: Command = {
  weight: 5,
  async run(machine) {
    const { gateway, random } = machine;
    const found = await someRefundable(machine);
    if (found === undefined) return undefined;
    const { actor, charge, left, amount } = found;
    await gateway.bank.setBehaviour({ refunds: 'refused' });
    const response = await call(machine, actor, 'POST', `/pix/${charge.id}/refund`, { amount: amount / 100 });
    const what = `refund of ${reais(amount)} of ${reais(charge.model.amount)} under a dispute`;
    checkOutcome(machine, what, response.status, refusalCodeOf(response), []);
    // Only this loop runs, because a full sweep might already read the bank's refusal.
    await loopNamed('refunds').work(gateway.deps);
    await gateway.bank.setBehaviour({});
    while (await bankIsBusy(gateway.bank)) await pause(8);
    const contested = random.chance(60) ? left : random.between(1, left);
    await contestOnly(machine, charge, contested);
    actor.model.requestRefund(amount);
    actor.model.openDispute(charge.model, contested, amount);
    await runUntilIdle(machine);
    actor.model.failRefund(charge.model, amount);
    return `${what} of ${reais(contested)}, refused`;
  },
};

/**
 * The payer contests before a refund is sent: the refund waits, and the dispute's outcome decides what becomes of it.
 */
const unsentUnderDispute: Command = {
  weight: 4,
  async run(machine) {
    const { gateway, random } = machine;
    const found = await someRefundable(machine);
    if (found === undefined) return undefined;
    const { actor, charge, left, amount } = found;
    const response = await call(machine, actor, 'POST', `/pix/${charge.id}/refund`, { amount: amount / 100 });
    const what = `unsent refund of ${reais(amount)} of ${reais(charge.model.amount)}, all contested`;
    checkOutcome(machine, what, response.status, refusalCodeOf(response), []);
    await contestOnly(machine, charge, left);
    actor.model.requestRefund(amount);
    actor.model.openDispute(charge.model, left, amount);
    await runJobsOnce(machine, 'quick');
    const sent = gateway.deps.db.selectFrom('refunds').select('id').where('send_count', '>', 0);
    const underWay = sent.where('charge_id', '=', charge.id).where('status', '=', 'processing');
    if ((await underWay.execute()).length > 0) throw new Error(`${what}: it was sent nevertheless`);
    const accepted = random.chance(50) && (await bankCanReturn(machine, charge));
    await gateway.bank.resolveDispute(charge.disputeId, { accepted });
    await runUntilIdle(machine);
    if (accepted) {
      actor.model.failRefund(charge.model, amount);
      actor.model.loseDispute(charge.model);
    } else {
      actor.model.winDispute(charge.model, now(machine));
      actor.model.completeRefund(charge.model, amount);
    }
    return `${what}, ${accepted ? 'accepted' : 'rejected'}`;
  },
};

/**
 * Whether the bank account holds the whole contested amount. If it holds less, the bank returns only that much; other
 * tests cover this case.
 */
async function bankCanReturn({ gateway }: Machine, { model }: Charge): Promise<boolean> {
  return (await gateway.bank.balanceCents()) >= (model.dispute?.contested ?? 0);
}

const resolve: Command = {
  weight: 5,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someActor(machine);
    const charge = random.pick(actor.charges.filter(({ model }) => model.dispute !== undefined));
    if (charge === undefined) return undefined;
    const how = random.pick(['accepted', 'accepted', 'rejected', 'cancelled'] as const);
    if (how === 'accepted' && !(await bankCanReturn(machine, charge))) return undefined;
    const resolution =
      how === 'cancelled' ? ({ cancelled: true } as const) : { accepted: how === 'accepted' };
    await gateway.bank.resolveDispute(charge.disputeId, resolution);
    await runUntilIdle(machine);
    if (how === 'accepted') actor.model.loseDispute(charge.model);
    else actor.model.winDispute(charge.model, now(machine));
    return `dispute ${how}`;
  },
};

const wait: Command = {
  weight: 6,
  async run(machine) {
    const seconds = machine.random.pick([60, 900, 7200, 86_400, 3 * 86_400]) ?? 60;
    await advanceTime(machine, seconds);
    await runUntilIdle(machine);
    return `${seconds} s pass`;
  },
};

export const commands: readonly Command[] = [
  charge,
  pay,
  payLate,
  payAtCounter,
  stray,
  refund,
  withdraw,
  dispute,
  emptyAndContest,
  refusedUnderDispute,
  unsentUnderDispute,
  resolve,
  wait,
];
