import { feeCents } from '@jangada/contract';

// A second, simple implementation of what must happen to a merchant's money: the sums and rules of the table in
// docs/the-books.md, without database, bank or concurrency. Amounts in integer cents, times in milliseconds.

export type ModelTerms = {
  readonly inRate: number;
  readonly fixInCents: number;
  readonly outRate: number;
  readonly fixOutCents: number;
  readonly reserveRate: number;
  readonly reserveDays: number;
};

export type ModelCharge = {
  readonly amount: number;
  readonly fee: number;
  readonly reserve: number;
  status: 'pending' | 'paid' | 'expired' | 'refunded';
  paidAt: number;
  returned: number;
  /** The state of an open dispute. */
  dispute: ModelDispute | undefined;
};

export type ModelDispute = {
  readonly charge: ModelCharge;
  /** The amount that the payer contests, at most what was not refunded. */
  readonly contested: number;
  /** The contested amount without the part that is being refunded. */
  claimed: number;
  /** The part of the claimed amount that is blocked. */
  blocked: number;
  /** The part of the claimed amount for which there was no money to block. */
  short: number;
  /** The parts blocked from reserves, oldest first. */
  readonly taken: Taken[];
};

type Reserve = { left: number; readonly dueAt: number };
type Taken = { readonly reserve: Reserve; readonly amount: number };

const dayMs = 86_400_000;
const share = (amount: number, rate: number) => Math.floor((amount * rate + 5_000) / 10_000);

export class MerchantModel {
  readonly terms: ModelTerms;
  available = 0;
  fees = 0;
  /** The merchant's debt. */
  debt = 0;
  /** The merchant's money at the bank, including the gateway's fees from it. */
  heldByBank = 0;
  withdrawals = { completed: 0, completedCents: 0, failed: 0 };
  #reserves: Reserve[] = [];
  #disputes: ModelDispute[] = [];

  constructor(terms: ModelTerms) {
    this.terms = terms;
  }

  get reserved(): number {
    return sum(this.#reserves.map(({ left }) => left));
  }

  get blocked(): number {
    return sum(this.#disputes.map(({ blocked }) => blocked));
  }

  get short(): number {
    return sum(this.#disputes.map(({ short }) => short));
  }

  /** Whether the merchant has a shortfall or a debt. Until it is covered, withdrawals and refunds are refused. */
  get hasObligation(): boolean {
    return this.short > 0 || this.debt > 0;
  }

  charge(amount: number): ModelCharge {
    const fee = feeCents(amount, { rate: this.terms.inRate, fixedCents: this.terms.fixInCents });
    const reserve = this.terms.reserveDays === 0 ? 0 : share(amount - fee, this.terms.reserveRate);
    return { amount, fee, reserve, status: 'pending', paidAt: 0, returned: 0, dispute: undefined };
  }

  pay(charge: ModelCharge, now: number): void {
    charge.status = 'paid';
    charge.paidAt = now;
    this.heldByBank += charge.amount;
    this.fees += charge.fee;
    if (charge.reserve > 0)
      this.#reserves.push({ left: charge.reserve, dueAt: now + this.terms.reserveDays * dayMs });
    this.#arrive(charge.amount - charge.fee - charge.reserve);
  }

  /** Moves time to `now`: due reserves are released. */
  advanceTo(now: number): void {
    const due = this.#reserves.filter(({ dueAt }) => dueAt <= now);
    this.#reserves = this.#reserves.filter(({ dueAt }) => dueAt > now);
    this.#arrive(sum(due.map(({ left }) => left)));
  }

  refund(charge: ModelCharge, amount: number): void {
    this.requestRefund(amount);
    this.completeRefund(charge, amount);
  }

  /** A refund is requested: its amount leaves the balance before the bank's outcome is known. */
  requestRefund(amount: number): void {
    this.available -= amount;
  }

  completeRefund(charge: ModelCharge, amount: number): void {
    this.heldByBank -= amount;
    this.#giveBack(charge, amount);
  }

  /**
   * A refund fails. If the charge is in dispute, the amount is first blocked for what the dispute could not claim
   * during the refund. Only the rest becomes available.
   */
  failRefund({ dispute }: ModelCharge, amount: number): void {
    const claimed = dispute === undefined ? 0 : Math.min(amount, dispute.contested - dispute.claimed);
    if (dispute !== undefined) {
      dispute.claimed += claimed;
      dispute.blocked += claimed;
    }
    this.#arrive(amount - claimed);
  }

  withdrawalFee(amount: number): number {
    return feeCents(amount, { rate: this.terms.outRate, fixedCents: this.terms.fixOutCents });
  }

  withdraw(amount: number): void {
    const fee = this.withdrawalFee(amount);
    this.available -= amount;
    this.fees += fee;
    this.heldByBank -= amount - fee;
    this.withdrawals.completed += 1;
    this.withdrawals.completedCents += amount;
  }

  failWithdrawal(): void {
    this.withdrawals.failed += 1;
  }

  /** The payee's bank returns a completed withdrawal: the gateway keeps the fee. */
  returnWithdrawal(amount: number): void {
    const net = amount - this.withdrawalFee(amount);
    this.withdrawals.completed -= 1;
    this.withdrawals.completedCents -= amount;
    this.withdrawals.failed += 1;
    this.heldByBank += net;
    this.#arrive(net);
  }

  /** `refunding`: the part of the payment that is being refunded. */
  openDispute(charge: ModelCharge, amount: number, refunding = 0): void {
    const contested = Math.min(amount, charge.amount - charge.returned);
    const claimed = Math.min(contested, charge.amount - charge.returned - refunding);
    const fromAvailable = Math.min(this.available, claimed);
    this.available -= fromAvailable;
    const short = claimed - fromAvailable;
    charge.dispute = { charge, contested, claimed, blocked: fromAvailable, short, taken: [] };
    this.#takeFromReserves(charge.dispute, charge.dispute.short);
    this.#disputes.push(charge.dispute);
  }

  /** Blocks up to `most` of a dispute's shortfall from reserves, oldest first. Returns the amount blocked. */
  #takeFromReserves(dispute: ModelDispute, most: number): number {
    let missing = Math.min(dispute.short, most);
    const missingAtFirst = missing;
    for (const reserve of this.#reserves) {
      const amount = Math.min(reserve.left, missing);
      if (amount === 0) continue;
      dispute.taken.push({ reserve, amount });
      reserve.left -= amount;
      missing -= amount;
    }
    dispute.blocked += missingAtFirst - missing;
    dispute.short -= missingAtFirst - missing;
    return missingAtFirst - missing;
  }

  /**
   * A dispute is won or cancelled. Money blocked from a reserve that is not due yet returns to that reserve, and is
   * then blocked again for the shortfalls of other disputes, if any. All other blocked money becomes available.
   */
  winDispute(charge: ModelCharge, now: number): void {
    const { blocked, taken } = this.#close(charge);
    let ofReserves = Math.min(blocked, sum(taken.map(({ amount }) => amount)));
    let back = 0;
    for (const { reserve, amount } of taken.toReversed()) {
      const given = Math.min(amount, ofReserves);
      ofReserves -= given;
      if (reserve.dueAt <= now) continue;
      reserve.left += given;
      back += given;
    }
    this.#arrive(blocked - back);
    for (const dispute of this.#disputes) back -= this.#takeFromReserves(dispute, back);
  }

  /** A dispute is lost: the bank returns the claimed amount, and the shortfall becomes the merchant's debt. */
  loseDispute(charge: ModelCharge): void {
    const { claimed, short } = this.#close(charge);
    this.heldByBank -= claimed;
    this.debt += short;
    this.#giveBack(charge, claimed);
    this.#arrive(0);
  }

  #close(charge: ModelCharge): ModelDispute {
    const { dispute } = charge;
    if (dispute === undefined) throw new Error('The model has no dispute of this charge');
    this.#disputes = this.#disputes.filter((one) => one !== dispute);
    charge.dispute = undefined;
    return dispute;
  }

  #giveBack(charge: ModelCharge, amount: number): void {
    charge.returned += amount;
    if (charge.returned === charge.amount) charge.status = 'refunded';
  }

  /** Money arrives. It covers shortfalls first, oldest dispute first, then debts; the rest is available. */
  #arrive(amount: number): void {
    this.available += amount;
    for (const dispute of this.#disputes) {
      const taken = Math.min(dispute.short, this.available);
      dispute.short -= taken;
      dispute.blocked += taken;
      this.available -= taken;
    }
    const repaid = Math.min(this.debt, this.available);
    this.debt -= repaid;
    this.available -= repaid;
  }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
