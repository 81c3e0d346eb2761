import type { Payee, PaymentPage, ReceiptPage } from '@jangada/contract';
import { decodeBrCode, foldToAscii, PixRefusal } from '@jangada/pix';
import type { Deps } from '../deps.ts';
import { readPayers } from '../payments/index.ts';
import { stateOf } from './payment-state.ts';
import { findPayerCharge } from './payment-store.ts';
import { readPayee } from './read-payee.ts';

type ReadDeps = Pick<Deps, 'db' | 'clock'>;

/** The page of a charge; undefined if there is no charge with this txid. */
export async function loadPaymentPage(
  { db, clock }: ReadDeps,
  txid: string,
): Promise<PaymentPage | undefined> {
  const charge = await findPayerCharge(db, txid);
  if (charge === undefined) return undefined;
  const payee = await readPayee(db, charge.merchantId);
  const now = clock.now();
  const state = stateOf(charge, now);
  const code = state === 'waiting' ? charge.brCode : '';
  return {
    kind: 'payment',
    payee,
    id: charge.txid,
    state,
    amountCents: charge.amountCents,
    description: charge.description,
    code,
    nameInCode: nameInCode(code, payee),
    now: now.toISOString(),
    expiresAt: charge.expiresAt.toISOString(),
    paidAt: charge.paidAt?.toISOString() ?? null,
    endToEndId: charge.endToEndId,
    successUrl: charge.successUrl,
    linkUrl: charge.linkSlug === null ? null : `/link/${charge.linkSlug}`,
  };
}

/** The receipt of a paid charge: undefined if there is no such charge, null if it is not paid. */
export async function loadReceiptPage(
  { db }: Pick<ReadDeps, 'db'>,
  txid: string,
): Promise<ReceiptPage | null | undefined> {
  const charge = await findPayerCharge(db, txid);
  if (charge === undefined) return undefined;
  const { paidAt, endToEndId } = charge;
  if (paidAt === null || endToEndId === null) return null;
  const [payee, payers] = await Promise.all([readPayee(db, charge.merchantId), readPayers(db, [endToEndId])]);
  return {
    kind: 'receipt',
    payee,
    id: charge.txid,
    amountCents: charge.amountCents,
    refundedCents: charge.refundedCents,
    description: charge.description,
    paidAt: paidAt.toISOString(),
    endToEndId,
    payer: payers.get(endToEndId) ?? { name: null, document: null },
  };
}

/** The name in the code, which a bank may show in place of the payee's; null if it is the payee's own. */
function nameInCode(code: string, { name, legalName }: Payee): string | null {
  if (code === '') return null;
  try {
    const { merchantName } = decodeBrCode(code);
    const folded = [name, legalName].map((one) => foldToAscii(one, 25).toUpperCase());
    return folded.includes(merchantName.toUpperCase()) ? null : merchantName;
  } catch (error) {
    if (error instanceof PixRefusal) return null;
    throw error;
  }
}
