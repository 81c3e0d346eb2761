import type { HeldPixReason } from '@jangada/contract';
import type { DueAmount } from '@jangada/pix';
import type { FeePayment, StoredFeeStatement } from '../fee-statements/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { acceptDueAmount } from './accept-due-amount.ts';
import type { ChargeForPix } from './credit-counters.ts';
import type { DueFacts } from './due-terms-store.ts';
import { type Holding, holdingOf, type RuleFacts } from './payer-rules.ts';
import { computeFeeAndReserve, isStatusChangeAllowed, type PayableCharge } from './payment.ts';
import type { PixFacts } from './pix-facts.ts';
import type { NewReceivedPix, PixAtAccount } from './received-store.ts';

/** A Pix to be credited to its charge. */
export type Credit = {
  readonly charge: PayableCharge & { readonly isFromLink?: boolean };
  readonly pix: PixAtAccount;
  /** Set if the Pix has no stored charge, but one that is to be stored for it (`ChargeForPix`). */
  readonly chargeForPix?: ChargeForPix | undefined;
  /** Set if the charge has a due date: how the bank explains the amount, which is that of `charge`. */
  readonly dueAmount?: DueAmount | undefined;
};

/** The outcome decided for a new Pix: it pays a charge (`credit`) or a fee statement, and else goes to suspense. */
export type Decision = {
  readonly pix: NewReceivedPix;
  readonly credit?: Credit;
  readonly feePayment?: FeePayment;
  /** Set if the merchant is to decide, or a rule gives it back. */
  readonly holding?: PixHolding;
};

/** A Pix that names a charge, but is not credited to it. `rule`: undefined if the merchant is only told of it. */
export type PixHolding = {
  readonly charge: PayableCharge;
  readonly why: HeldPixReason;
  readonly rule: Holding['rule'] | undefined;
  /** How the bank explains the amount, if the Pix would pay a charge with a due date. */
  readonly dueAmount: DueAmount | undefined;
};

/** The facts that decide the outcome of Pix: charges, charges to be stored for Pix, and fee statements by txid. */
export type DecisionFacts = {
  readonly facts: readonly PixFacts[];
  readonly chargesForPix: ReadonlyMap<string, ChargeForPix>;
  readonly feeStatements: ReadonlyMap<string, StoredFeeStatement>;
  /** By charge id, only of charges with a due date. */
  readonly dueFacts: ReadonlyMap<string, DueFacts>;
  /** By charge id, only of charges for which there is a rule. */
  readonly ruleFacts: ReadonlyMap<string, RuleFacts>;
  /** By endToEndId, the charges that are made for second payments where a rule accepts them. */
  readonly secondCharges: ReadonlyMap<string, ChargeForPix>;
};

/** Decides what becomes of each new Pix. At accounts of merchants' own, only what names a charge there is booked or held. */
export function decideOutcomes(received: readonly PixAtAccount[], facts: DecisionFacts): Decision[] {
  const chargeByPix = new Map(facts.facts.map(({ endToEndId, charge }) => [endToEndId, charge]));
  /** The txids of charges paid by an earlier Pix of this batch. */
  const paidTxids = new Set<string>();
  /** The ids of fee statements paid by an earlier Pix of this batch. */
  const paidStatements = new Set<string>();
  const decisions = received.map((pix) => {
    const statement = pix.txid === undefined ? undefined : facts.feeStatements.get(pix.txid);
    if (statement !== undefined) return decideFeePix(pix, statement, paidStatements);
    const chargeForPix = facts.chargesForPix.get(pix.endToEndId);
    if (chargeForPix !== undefined) return decidePixWithNewCharge(pix, chargeForPix);
    return decidePixOfCharge(pix, chargeByPix.get(pix.endToEndId), facts, paidTxids);
  });
  return decisions.filter(
    ({ pix, credit, holding }) => isAtHouse(pix) || credit !== undefined || holding !== undefined,
  );
}

function decidePixOfCharge(
  pix: PixAtAccount,
  charge: PayableCharge | undefined,
  { dueFacts, ruleFacts, secondCharges }: DecisionFacts,
  paidTxids: Set<string>,
): Decision {
  const dueFact = charge && dueFacts.get(charge.id);
  const credit = charge && creditOf(charge, pix, dueFact);
  const reason =
    suspenseReason(pix, credit?.charge, paidTxids) ??
    // The original amount alone proves nothing about a charge with a due date.
    (dueFact !== undefined && credit?.dueAmount === undefined ? 'wrong-amount' : undefined);
  if (charge === undefined || credit === undefined || reason === 'no-txid' || reason === 'unknown-txid')
    return toSuspenseDecision(pix, reason ?? null);
  const rules = ruleFacts.get(charge.id);
  const { dueAmount } = credit;
  if (reason === 'second-payment') {
    const secondCharge = secondCharges.get(pix.endToEndId);
    if (secondCharge !== undefined) return decidePixWithNewCharge(pix, secondCharge);
    const rule = rules?.rules.doubled;
    if (rule === 'hold' || rule === 'give_back')
      return toHoldDecision(pix, { charge, why: reason, rule, dueAmount });
  }
  // Nobody but the merchant sees what arrives at an account of the merchant's own.
  if (reason !== undefined)
    return isAtHouse(pix)
      ? toSuspenseDecision(pix, reason)
      : toHoldDecision(pix, { charge, why: reason, rule: undefined, dueAmount });
  const holding = rules && holdingOf(charge, pix, rules);
  if (holding !== undefined) return toHoldDecision(pix, { charge, ...holding, dueAmount });
  paidTxids.add(charge.txid);
  return toCreditDecision(credit);
}

/** A Pix as the payment of its charge. That of a charge with a due date has the amount that the bank explains. */
function creditOf(charge: PayableCharge, pix: PixAtAccount, facts: DueFacts | undefined): Credit {
  const dueAmount = facts && acceptDueAmount(facts.due, pix);
  if (facts === undefined || dueAmount === undefined) return { charge, pix };
  const amountCents = dueAmount.finalCents;
  return {
    charge: { ...charge, amountCents, ...computeFeeAndReserve(amountCents, facts.terms) },
    pix,
    dueAmount,
  };
}

/** Credits a Pix to a charge that is made for it: any amount above the fee is accepted. */
function decidePixWithNewCharge(pix: PixAtAccount, chargeForPix: ChargeForPix): Decision {
  const { charge } = chargeForPix;
  if (isForOtherKey(pix)) return toSuspenseDecision(pix, 'wrong-key');
  if (charge.feeCents >= charge.amountCents) return toSuspenseDecision(pix, 'below-fee');
  return toCreditDecision({ charge, pix, chargeForPix });
}

/** Lets a Pix pay a fee statement, if it is for the whole amount and the statement is not paid yet. */
function decideFeePix(
  pix: PixAtAccount,
  statement: StoredFeeStatement,
  paidStatements: Set<string>,
): Decision {
  if (isForOtherKey(pix)) return toSuspenseDecision(pix, 'wrong-key');
  if (pix.amountCents !== statement.amountCents) return toSuspenseDecision(pix, 'wrong-amount');
  if (statement.state === 'paid' || paidStatements.has(statement.id))
    return toSuspenseDecision(pix, 'second-payment');
  paidStatements.add(statement.id);
  const { merchantId } = statement;
  return {
    pix: { ...pix, merchantId, chargeId: null, outcome: 'fees', reason: null },
    feePayment: { statement, pix },
  };
}

/** Whether the bank says that the Pix was sent to another key than that of its account. */
function isForOtherKey({ pixKey, account }: PixAtAccount): boolean {
  return pixKey !== undefined && pixKey !== account.pixKey;
}

function toSuspenseDecision(pix: PixAtAccount, reason: string | null): Decision {
  return { pix: { ...pix, merchantId: PLATFORM, chargeId: null, outcome: 'suspense', reason } };
}

/** At the operator's own account the Pix is in suspense meanwhile. */
function toHoldDecision(pix: PixAtAccount, holding: PixHolding): Decision {
  const { why, charge } = holding;
  if (isAtHouse(pix)) return { ...toSuspenseDecision(pix, why), holding };
  const { merchantId } = charge;
  return { pix: { ...pix, merchantId, chargeId: null, outcome: 'held', reason: why }, holding };
}

function toCreditDecision(credit: Credit): Decision {
  const { pix, charge } = credit;
  return {
    pix: { ...pix, merchantId: charge.merchantId, chargeId: charge.id, outcome: 'credited', reason: null },
    credit,
  };
}

/** Returns the reason why a Pix cannot be credited to its charge; undefined if it can. */
function suspenseReason(
  pix: PixAtAccount,
  charge: PayableCharge | undefined,
  paidTxids: ReadonlySet<string>,
): HeldPixReason | 'no-txid' | 'unknown-txid' | undefined {
  if (pix.txid === undefined) return 'no-txid';
  // The word of one bank proves nothing about the charges of another account.
  if (charge?.connectionId !== pix.account.id) return 'unknown-txid';
  if (isForOtherKey(pix)) return 'wrong-key';
  if (pix.amountCents !== charge.amountCents) return 'wrong-amount';
  if (charge.feeCents >= charge.amountCents) return 'below-fee';
  if (paidTxids.has(charge.txid) || !isStatusChangeAllowed(charge.status, 'paid')) return 'second-payment';
  return undefined;
}

export const isAtHouse = ({ account }: PixAtAccount) => account.id === HOUSE_CONNECTION;
