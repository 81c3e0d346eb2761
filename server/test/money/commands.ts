import { setTimeout as pause } from 'node:timers/promises';
import { backgroundLoops } from '../../src/background-work.ts';
import { bankIsBusy } from './bank-is-busy.ts';
import {
  type Actor,
  call,
  codeOf,
  destination,
  type Machine,
  makeCharge,
  pass,
  settle,
  sweepOnce,
} from './machine.ts';

/**
 * One step of a story. Returns what it did, in a few words; undefined if it could not be done. Each ends with
 * everything settled and the model updated.
 */
export type Command = {
  readonly weight: number;
  readonly run: (machine: Machine) => Promise<string | undefined>;
};

type Charge = Actor['charges'][number];

const now = ({ gateway }: Machine) => gateway.deps.clock.now().getTime();
const someone = ({ random, actors }: Machine) => random.pick(actors) as Actor;
const paid = ({ charges }: Actor) => charges.filter(({ model }) => model.status === 'paid');
const reais = (cents: number) => (cents / 100).toFixed(2);

/** Some amounts of 13, 14 and 15 reais trigger special behaviour of the bank. */
const isSpecial = (cents: number) => cents >= 1300 && cents < 1600;

function someAmount({ random }: Machine, least: number, most: number): number {
  const cents = random.between(least, most);
  return isSpecial(cents) ? 1600 : cents;
}

const open = (machine: Machine, { charges }: Actor) =>
  charges.filter(({ model, expiresAt }) => model.status === 'pending' && expiresAt > now(machine) + 60_000);

async function someOpenCharge(machine: Machine, actor: Actor): Promise<Charge> {
  return (
    machine.random.pick(open(machine, actor)) ?? makeCharge(machine, actor, someAmount(machine, 150, 60_000))
  );
}

async function payAndSettle(machine: Machine, actor: Actor, charge: Charge): Promise<void> {
  charge.endToEndId = await machine.gateway.bank.pay({ brCode: charge.brCode });
  await settle(machine);
  actor.model.pay(charge.model, now(machine));
}

const charge: Command = {
  weight: 8,
  async run(machine) {
    const amount = someAmount(machine, 150, 60_000);
    await makeCharge(machine, someone(machine), amount);
    return `charge of ${reais(amount)}`;
  },
};

const pay: Command = {
  weight: 14,
  async run(machine) {
    const actor = someone(machine);
    const charge = await someOpenCharge(machine, actor);
    const notifications = machine.random.pick(['normal', 'duplicated', 'never'] as const);
    await machine.gateway.bank.behave({ notifications });
    machine.sweepAll ||= notifications === 'never';
    await payAndSettle(machine, actor, charge);
    await machine.gateway.bank.behave({});
    return `${reais(charge.model.amount)} paid, told ${notifications}`;
  },
};

/** Paid in time, but found long after its expiry. */
const payLate: Command = {
  weight: 2,
  async run(machine) {
    const actor = someone(machine);
    const charge = await someOpenCharge(machine, actor);
    await machine.gateway.bank.behave({ notifications: 'never' });
    machine.sweepAll = true;
    charge.endToEndId = await machine.gateway.bank.pay({ brCode: charge.brCode });
    charge.lateMoney = true;
    await pass(machine, machine.random.between(4000, 8000));
    await machine.gateway.bank.behave({});
    await settle(machine);
    actor.model.pay(charge.model, now(machine));
    return `${reais(charge.model.amount)} paid in time and found late`;
  },
};

/** A Pix to a printed code, which becomes a charge only now. */
const payAtCounter: Command = {
  weight: 5,
  async run(machine) {
    const { gateway } = machine;
    const { db } = gateway.deps;
    const actor = someone(machine);
    const amount = someAmount(machine, 1, 30_000);
    const notifications = machine.random.pick(['normal', 'duplicated', 'never'] as const);
    await gateway.bank.behave({ notifications });
    machine.sweepAll ||= notifications === 'never';
    const endToEndId = await gateway.bank.pay({ brCode: actor.counter, amount: amount / 100 });
    await settle(machine);
    await gateway.bank.behave({});
    const model = actor.model.charge(amount);
    const what = `${reais(amount)} paid at the counter, told ${notifications}`;
    if (model.fee >= amount) {
      machine.strayCents += amount;
      return `${what}: less than its fee`;
    }
    const made = db.selectFrom('charges').select('id').where('end_to_end_id', '=', endToEndId);
    const { id } = await made.executeTakeFirstOrThrow();
    actor.charges.push({ id, brCode: '', expiresAt: 0, model, endToEndId, disputeId: '', lateMoney: false });
    actor.model.pay(model, now(machine));
    return what;
  },
};

/** A second Pix for a paid charge, or one without a charge. */
const stray: Command = {
  weight: 2,
  async run(machine) {
    const { gateway } = machine;
    const amount = someAmount(machine, 1, 30_000);
    await gateway.bank.pay({ key: gateway.deps.config.pixKey, amount: amount / 100 });
    // The bank sends no notice of a Pix without a txid.
    machine.sweepAll = true;
    await settle(machine);
    machine.strayCents += amount;
    return `${reais(amount)} of nobody`;
  },
};

/** A call that must be refused exactly if the model says so. Returns whether it was accepted. */
function judge(
  machine: Machine,
  what: string,
  status: number,
  code: string,
  reasons: readonly string[],
): boolean {
  const refused = status >= 400;
  if (refused !== reasons.length > 0 || (refused && !reasons.includes(code)))
    throw new Error(`${what}: ${status} ${code}, and the model says ${reasons.join(', ') || 'yes'}`);
  machine.story.push(refused ? `  refused: ${code}` : '  taken');
  return !refused;
}

/**
 * What the bank would send, in cents. Its blocks for disputes may cover other merchants' money, and then it refuses an
 * otherwise valid payout or refund.
 */
async function freeAtBank({ gateway }: Machine): Promise<number> {
  const balance = await gateway.deps.psp.account?.readBalance();
  if (balance === undefined) throw new Error('the bank of the tests tells its balance');
  return balance.freeCents;
}

const refund: Command = {
  weight: 10,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someone(machine);
    const charge = random.pick(paid(actor));
    if (charge === undefined) return undefined;
    const left = charge.model.amount - charge.model.returned;
    const whole = random.chance(40);
    const amount = whole ? left : random.between(1, left + (random.chance(10) ? 50 : 0));
    if (isSpecial(amount)) return undefined;
    const mode = random.pick([
      'normal',
      'normal',
      'refused',
      'refused-in-call',
      'slow',
      'accepted-then-timeout',
      'down',
    ]);
    const covered = (await freeAtBank(machine)) >= amount;
    if (!covered && mode !== 'normal') return undefined;
    const reasons = [
      ...(charge.model.dispute === undefined ? [] : ['PAYMENT_IN_DISPUTE']),
      ...(actor.model.owes ? ['DISPUTE_SHORTFALL'] : []),
      ...(amount > left ? ['REFUND_EXCEEDS_PAYMENT'] : []),
      ...(amount > actor.model.available ? ['INSUFFICIENT_BALANCE'] : []),
      ...(now(machine) - charge.model.paidAt > 90 * 86_400_000 ? ['REFUND_TOO_LATE'] : []),
    ];
    await gateway.bank.behave({ refunds: mode });
    const answer = await call(
      machine,
      actor,
      'POST',
      `/pix/${charge.id}/refund`,
      whole ? {} : { amount: amount / 100 },
    );
    const what = `refund of ${reais(amount)} of ${reais(charge.model.amount)}, bank ${mode}`;
    const taken = judge(machine, what, answer.status, codeOf(answer), reasons);
    if (taken) await sweepOnce(machine, 'quick');
    await gateway.bank.behave({});
    await settle(machine);
    if (taken && covered && mode !== 'refused' && mode !== 'refused-in-call')
      actor.model.refund(charge.model, amount);
    return what;
  },
};

const withdraw: Command = {
  weight: 12,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someone(machine);
    const { model } = actor;
    if (model.available < 500 && random.chance(80)) return undefined;
    const amount = someAmount(machine, 400, Math.max(600, Math.min(model.available + 100, 200_000)));
    if (isSpecial(amount - model.withdrawalFee(amount))) return undefined;
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
    const covered = (await freeAtBank(machine)) >= amount - model.withdrawalFee(amount);
    if (!covered && mode !== 'normal') return undefined;
    const reasons = [
      ...(amount < 500 ? ['WITHDRAWAL_MINIMUM'] : []),
      ...(model.withdrawalFee(amount) >= amount ? ['WITHDRAWAL_TOO_SMALL'] : []),
      ...(model.owes ? ['DISPUTE_SHORTFALL'] : []),
      ...(amount > model.available ? ['INSUFFICIENT_BALANCE'] : []),
    ];
    await gateway.bank.behave({ payouts: mode });
    const body = { amount, pixKey: destination, keyType: 'email' };
    const answer = await call(machine, actor, 'POST', '/withdraw', body);
    const what = `withdrawal of ${reais(amount)}, bank ${mode}`;
    const taken = judge(machine, what, answer.status, codeOf(answer), reasons);
    if (taken) await sweepOnce(machine, 'quick');
    await gateway.bank.behave({});
    await settle(machine);
    if (!taken) return what;
    if (!covered || mode === 'refused' || mode === 'refused-in-call' || mode === 'wrong-notification')
      model.withdrawalFailed();
    else model.withdraw(amount);
    if (mode === 'returned') {
      await pass(machine, 3600);
      await settle(machine);
      model.withdrawalReturned(amount);
    }
    return what;
  },
};

const dispute: Command = {
  weight: 5,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someone(machine);
    const charge = random.pick(paid(actor).filter(({ model }) => model.dispute === undefined));
    if (charge === undefined) return undefined;
    const left = charge.model.amount - charge.model.returned;
    const amount = random.chance(60) ? left : random.between(1, left);
    charge.disputeId = await gateway.bank.openDispute({ endToEndId: charge.endToEndId, amountCents: amount });
    await settle(machine);
    actor.model.openDispute(charge.model, amount);
    return `${reais(amount)} of ${reais(charge.model.amount)} contested`;
  },
};

/** Withdraws everything before the payer contests, so that the blocked amount comes from reserves, if any. */
const emptyAndContest: Command = {
  weight: 6,
  async run(machine) {
    const { gateway, random, actors } = machine;
    const actor = random.pick(actors.filter(({ model }) => model.reserved > 0 && !model.owes));
    const charge = actor && random.pick(paid(actor).filter(({ model }) => model.dispute === undefined));
    if (actor === undefined || charge === undefined) return undefined;
    const { model } = actor;
    const net = model.available - model.withdrawalFee(model.available);
    const mayTake = model.available >= 500 && model.available <= 200_000 && !isSpecial(net);
    if (mayTake && (await freeAtBank(machine)) >= net) {
      const body = { amount: model.available, pixKey: destination, keyType: 'email' };
      const answer = await call(machine, actor, 'POST', '/withdraw', body);
      judge(machine, 'withdrawal of everything', answer.status, codeOf(answer), []);
      const amount = model.available;
      await settle(machine);
      model.withdraw(amount);
    }
    const left = charge.model.amount - charge.model.returned;
    charge.disputeId = await gateway.bank.openDispute({ endToEndId: charge.endToEndId, amountCents: left });
    await settle(machine);
    model.openDispute(charge.model, left);
    return `${reais(left)} contested of who had ${reais(model.available)} left`;
  },
};

/** A payment that its merchant can refund now, and the refundable amount. */
async function someRefundable(
  machine: Machine,
): Promise<{ actor: Actor; charge: Charge; left: number; amount: number } | undefined> {
  const { random, actors } = machine;
  const actor = random.pick(actors.filter(({ model }) => !model.owes));
  const recent = (charge: Charge) => now(machine) - charge.model.paidAt < 80 * 86_400_000;
  const charge =
    actor && random.pick(paid(actor).filter((one) => one.model.dispute === undefined && recent(one)));
  if (actor === undefined || charge === undefined) return undefined;
  const left = charge.model.amount - charge.model.returned;
  const amount = random.between(1, Math.max(1, Math.min(left, actor.model.available)));
  const covered = amount <= actor.model.available && (await freeAtBank(machine)) >= amount;
  return covered && !isSpecial(amount) ? { actor, charge, left, amount } : undefined;
}

function sweepNamed(wanted: string): (typeof backgroundLoops)[number] {
  const found = backgroundLoops.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`Nothing that is swept is called ${wanted}`);
  return found;
}

/** The payer contests, and the gateway processes only that. */
async function contestUnheard(machine: Machine, charge: Charge, amountCents: number): Promise<void> {
  const { gateway, notices } = machine;
  charge.disputeId = await gateway.bank.openDispute({ endToEndId: charge.endToEndId, amountCents });
  const known = gateway.deps.db
    .selectFrom('disputes')
    .select('id')
    .where('bank_dispute_id', '=', charge.disputeId);
  while ((await known.execute()).length === 0) {
    await pause(8);
    await notices.sweep();
    await notices.idle(10_000);
    await sweepNamed('disputes').work(gateway.deps);
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
    await gateway.bank.behave({ refunds: 'refused' });
    const answer = await call(machine, actor, 'POST', `/pix/${charge.id}/refund`, { amount: amount / 100 });
    const what = `refund of ${reais(amount)} of ${reais(charge.model.amount)} under a dispute`;
    judge(machine, what, answer.status, codeOf(answer), []);
    // Only the sending: a full sweep might already read the bank's refusal.
    await sweepNamed('refunds').work(gateway.deps);
    await gateway.bank.behave({});
    while (await bankIsBusy(gateway.bank)) await pause(8);
    const contested = random.chance(60) ? left : random.between(1, left);
    await contestUnheard(machine, charge, contested);
    actor.model.askRefund(amount);
    actor.model.openDispute(charge.model, contested, amount);
    await settle(machine);
    actor.model.refundFailed(charge.model, amount);
    return `${what} of ${reais(contested)}, refused`;
  },
};

/** The payer contests before a refund is sent: it waits, and the dispute's outcome decides what becomes of it. */
const unsentUnderDispute: Command = {
  weight: 4,
  async run(machine) {
    const { gateway, random } = machine;
    const found = await someRefundable(machine);
    if (found === undefined) return undefined;
    const { actor, charge, left, amount } = found;
    const answer = await call(machine, actor, 'POST', `/pix/${charge.id}/refund`, { amount: amount / 100 });
    const what = `unsent refund of ${reais(amount)} of ${reais(charge.model.amount)}, all contested`;
    judge(machine, what, answer.status, codeOf(answer), []);
    await contestUnheard(machine, charge, left);
    actor.model.askRefund(amount);
    actor.model.openDispute(charge.model, left, amount);
    await sweepOnce(machine, 'quick');
    const sent = gateway.deps.db.selectFrom('refunds').select('id').where('sends', '>', 0);
    const underWay = sent.where('charge_id', '=', charge.id).where('status', '=', 'processing');
    if ((await underWay.execute()).length > 0) throw new Error(`${what}: it left all the same`);
    const accepted = random.chance(50) && (await bankCanReturn(machine, charge));
    await gateway.bank.resolveDispute(charge.disputeId, { accepted });
    await settle(machine);
    if (accepted) {
      actor.model.refundFailed(charge.model, amount);
      actor.model.loseDispute(charge.model);
    } else {
      actor.model.winDispute(charge.model, now(machine));
      actor.model.refundDone(charge.model, amount);
    }
    return `${what}, ${accepted ? 'accepted' : 'rejected'}`;
  },
};

/** A bank returns what it finds in the account, once; shortfalls have tests of their own. */
async function bankCanReturn({ gateway }: Machine, { model }: Charge): Promise<boolean> {
  return (await gateway.bank.balanceCents()) >= (model.dispute?.contested ?? 0);
}

const resolve: Command = {
  weight: 5,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someone(machine);
    const charge = random.pick(actor.charges.filter(({ model }) => model.dispute !== undefined));
    if (charge === undefined) return undefined;
    const how = random.pick(['accepted', 'accepted', 'rejected', 'cancelled'] as const);
    if (how === 'accepted' && !(await bankCanReturn(machine, charge))) return undefined;
    const resolution =
      how === 'cancelled' ? ({ cancelled: true } as const) : { accepted: how === 'accepted' };
    await gateway.bank.resolveDispute(charge.disputeId, resolution);
    await settle(machine);
    if (how === 'accepted') actor.model.loseDispute(charge.model);
    else actor.model.winDispute(charge.model, now(machine));
    return `dispute ${how}`;
  },
};

const wait: Command = {
  weight: 6,
  async run(machine) {
    const seconds = machine.random.pick([60, 900, 7200, 86_400, 3 * 86_400]) ?? 60;
    await pass(machine, seconds);
    await settle(machine);
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
