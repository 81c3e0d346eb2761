import type { Payee, PayerDue, PaymentPage, PaymentState, ReceiptPage } from '@jangada/contract';
import {
  decodeBrCode,
  dueDaysOf,
  foldToAscii,
  maskDocument,
  PixRefusal,
  predictDueAmount,
} from '@jangada/pix';
import { calendarDayOf } from '../calendar-day.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { readDues, readPayers } from '../payments/index.ts';
import { findPayee, logoPath } from './brand.ts';
import { findPayerCharge } from './payment-store.ts';

type ReadDeps = Pick<Deps, 'db' | 'clock' | 'banks'>;

/**
 * Loads the payment page of a charge by its txid (its identifier at the bank); undefined if there is no such charge.
 */
export async function loadPaymentPage(
  { db, clock, banks }: ReadDeps,
  txid: string,
): Promise<PaymentPage | undefined> {
  const charge = await findPayerCharge(db, txid);
  if (charge === undefined) return undefined;
  const payee = await readPayee(db, charge.merchantId);
  const now = clock.now();
  const due = await readPayerDue(db, charge, now);
  const state = determinePaymentState(charge, now);
  const code = state === 'waiting' ? charge.brCode : '';
  return {
    kind: 'payment',
    payee,
    id: charge.txid,
    state,
    amountCents: state === 'waiting' && due !== null ? due.amountCents : charge.amountCents,
    due: due?.shown ?? null,
    description: charge.description,
    code,
    nameInCode: nameInCode(code, payee),
    institution: institutionOf(banks, charge.connectionId),
    now: now.toISOString(),
    expiresAt: charge.expiresAt.toISOString(),
    paidAt: charge.paidAt?.toISOString() ?? null,
    endToEndId: charge.endToEndId,
    successUrl: charge.successUrl,
    linkUrl: charge.linkSlug === null ? null : `/link/${charge.linkSlug}`,
  };
}

/** Loads the receipt of a charge: undefined if there is no such charge, null if it is not paid. */
export async function loadReceiptPage(
  { db, banks }: Pick<ReadDeps, 'db' | 'banks'>,
  txid: string,
): Promise<ReceiptPage | null | undefined> {
  const charge = await findPayerCharge(db, txid);
  if (charge === undefined) return undefined;
  const { paidAt, endToEndId } = charge;
  if (paidAt === null || endToEndId === null) return null;
  const [payee, due, payers] = await Promise.all([
    readPayee(db, charge.merchantId),
    readPayerDue(db, charge, paidAt),
    readPayers(db, charge.merchantId, [endToEndId]),
  ]);
  return {
    kind: 'receipt',
    payee,
    id: charge.txid,
    amountCents: charge.amountCents,
    due: due?.shown ?? null,
    refundedCents: charge.refundedCents,
    description: charge.description,
    paidAt: paidAt.toISOString(),
    endToEndId,
    institution: institutionOf(banks, charge.connectionId),
    payer: payers.get(endToEndId) ?? { name: null, document: null },
  };
}

type PayerCharge = NonNullable<Awaited<ReturnType<typeof findPayerCharge>>>;

/** Reads how the amount of a charge with a due date is made up on the day of `now`; null without a due date. */
async function readPayerDue(
  db: Db,
  { merchantId, id, dueDate }: PayerCharge,
  now: Date,
): Promise<{ readonly amountCents: number; readonly shown: PayerDue } | null> {
  const stored = (await readDues(db, merchantId, [{ id, dueDate }])).get(id);
  if (stored === undefined) return null;
  const { dueDay, lastDay } = dueDaysOf(stored.due);
  const today = calendarDayOf(now);
  const isOver = today > lastDay;
  // A charge that is over owes what it owed on its last day.
  const amount = stored.parts ?? predictDueAmount(stored.due, isOver ? lastDay : today);
  invariant(amount !== undefined, 'a charge can be paid on its last day');
  const { finalCents, ...parts } = amount;
  const shown = { dueDate: stored.due.dueDate, lastDay, isLate: today > dueDay, ...parts };
  return { amountCents: finalCents, shown };
}

/**
 * The payee's name as it appears in the BR Code (the text that a payer scans or pastes). The payer's bank may show this
 * name, so the page mentions it. Null if it is the payee's current name, or if there is no code.
 */
export function nameInCode(code: string, { name, legalName }: Payee): string | null {
  if (code === '') return null;
  try {
    const { merchantName } = decodeBrCode(code);
    // A BR Code has room for 25 characters of the name.
    const payeeNames = [name, legalName].map((text) => foldToAscii(text, 25).toUpperCase());
    return payeeNames.includes(merchantName.toUpperCase()) ? null : merchantName;
  } catch (error) {
    if (error instanceof PixRefusal) return null;
    throw error;
  }
}

export function institutionOf(banks: Deps['banks'], connectionId: number): string | null {
  return banks.find(connectionId)?.institution ?? null;
}

/** The fields of a charge that determine its state for the payer. */
type ChargeStatusFields = {
  readonly status: string;
  readonly expiresAt: Date;
  readonly cancelledAt: Date | null;
};

/** The state of a charge as its payer sees it: expired from `expiresAt` on, even before that status is stored. */
export function determinePaymentState(
  { status, expiresAt, cancelledAt }: ChargeStatusFields,
  now: Date,
): PaymentState {
  if (status === 'paid' || status === 'refunded') return status;
  if (status === 'error') return 'failed';
  if (cancelledAt !== null) return 'cancelled';
  return status === 'pending' && expiresAt > now ? 'waiting' : 'expired';
}

/**
 * Reads a merchant, who must exist, as payers see them. Of a CPF, a person's tax number, only the middle digits show.
 */
export async function readPayee(db: Db | Tx['db'], merchantId: number): Promise<Payee> {
  const row = await findPayee(db, merchantId);
  invariant(row !== undefined, `there is no merchant ${merchantId}`);
  const { name: legalName, displayName, document, docType, colour, logoId } = row;
  return {
    name: displayName ?? legalName,
    legalName,
    document: { type: docType === 'CNPJ' ? 'CNPJ' : 'CPF', text: maskDocument(document) },
    colour,
    logo: logoPath(logoId),
  };
}
