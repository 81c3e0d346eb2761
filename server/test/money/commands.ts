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
 * Something that happens to money. Answers what it did, in a few words; undefined when there was nothing to do it to.
 * Each ends with everything settled, and with the model told what must have come of it.
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

/** Some amounts of 13, 14 and 15 reais make the bank misbehave by themselves. */
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

/** Paid in time, and found when the charge should have expired long ago. */
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

/** A Pix by a printed code: it has its charge only now. */
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

/** A second Pix of the same payer, or one of nobody. */
const stray: Command = {
  weight: 2,
  async run(machine) {
    const { gateway } = machine;
    const amount = someAmount(machine, 1, 30_000);
    await gateway.bank.pay({ key: gateway.deps.config.pixKey, amount: amount / 100 });
    // The bank tells nobody of a Pix without a txid.
    machine.sweepAll = true;
    await settle(machine);
    machine.strayCents += amount;
    return `${reais(amount)} of nobody`;
  },
};

/** A call that must be refused exactly when the model knows why. Answers whether it was taken. */
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
 * What the bank would let go, in cents. What it blocks for disputes may be other merchants' money: then it refuses an
 * honest payout or refund.
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

const resolve: Command = {
  weight: 5,
  async run(machine) {
    const { gateway, random } = machine;
    const actor = someone(machine);
    const charge = random.pick(actor.charges.filter(({ model }) => model.dispute !== undefined));
    if (charge === undefined) return undefined;
    const how = random.pick(['accepted', 'accepted', 'rejected', 'cancelled'] as const);
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
  resolve,
  wait,
];
