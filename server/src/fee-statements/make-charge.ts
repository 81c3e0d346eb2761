import { FEE_STATEMENT_RULES } from '@jangada/contract';
import { foldToAscii } from '@jangada/pix';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type AtBank, atHouse, type BankCharge, PspRefused, PspUnknown } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import {
  findValidCharge,
  insertCharge,
  newStatementTxid,
  type StatementCharge,
  storeBrCode,
} from './charge-store.ts';
import { formatMonth, type StoredFeeStatement } from './fee-statement.ts';
import { lockStatement } from './store.ts';

const dayMs = 86_400_000;
/** A charge that can be paid for less than this is not shown any more: a new one is made. */
const minValidityMs = 3_600_000;

/**
 * Returns a charge at the operator's bank by which a statement can be paid for an hour at least: the newest one, or a
 * new one. The charge is stored under our txid before the bank is called, so its Pix is recognised whatever becomes of
 * the call. Refused with FEE_STATEMENT_NOT_FOUND, FEE_STATEMENT_PAID or PAYMENT_PROCESSING_ERROR.
 */
export async function makeStatementCharge(
  deps: Deps,
  merchantId: number,
  id: string,
): Promise<{ readonly statement: StoredFeeStatement; readonly charge: StatementCharge }> {
  const { statement, charge, isNew } = await inTransaction(deps, (tx) => findOrStore(tx, merchantId, id));
  if (charge.brCode !== '') return { statement, charge };
  try {
    const brCode = await createAtBank(atHouse(deps), statement, charge, isNew);
    await storeBrCode(deps.db, charge, brCode);
    return { statement, charge: { ...charge, brCode } };
  } catch (err) {
    if (!(err instanceof PspRefused || err instanceof PspUnknown)) throw err;
    deps.log.warn({ err, txid: charge.txid }, 'the charge of a fee statement could not be made');
    throw new Refusal('PAYMENT_PROCESSING_ERROR', { retryAfterSeconds: 5 });
  }
}

async function findOrStore(tx: Tx, merchantId: number, id: string) {
  const statement = await lockStatement(tx, merchantId, id);
  if (statement === undefined) throw new Refusal('FEE_STATEMENT_NOT_FOUND');
  if (statement.state === 'paid') throw new Refusal('FEE_STATEMENT_PAID');
  const valid = await findValidCharge(tx.db, statement, new Date(tx.now.getTime() + minValidityMs));
  if (valid !== undefined) return { statement, charge: valid, isNew: false };
  const charge = {
    merchantId,
    statementId: id,
    txid: newStatementTxid(merchantId),
    brCode: '',
    createdAt: tx.now,
    expiresAt: new Date(tx.now.getTime() + FEE_STATEMENT_RULES.codeDays * dayMs),
  };
  await insertCharge(tx, charge);
  return { statement, charge, isNew: true };
}

/** Creates the charge at the bank. One that an earlier call may have created is looked up first. */
async function createAtBank(
  { psp, connection }: AtBank,
  { number, month, amountCents }: StoredFeeStatement,
  { txid, createdAt, expiresAt }: StatementCharge,
  isNew: boolean,
): Promise<string> {
  const order = {
    txid,
    amountCents,
    expiresInSeconds: Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000),
    payerNote: foldToAscii(`Tarifas de ${formatMonth(month)}, fatura ${number}`, 140),
  };
  const bankCharge = isNew
    ? await psp.createCharge(order)
    : ((await psp.findCharge(txid, 'immediate')) ?? (await psp.createCharge(order)));
  return codeOf(bankCharge, { txid, amountCents, pixKey: connection.pixKey });
}

function codeOf(bankCharge: BankCharge, ours: Pick<BankCharge, 'txid' | 'amountCents' | 'pixKey'>): string {
  const isSameCharge =
    bankCharge.txid === ours.txid &&
    bankCharge.amountCents === ours.amountCents &&
    bankCharge.pixKey === ours.pixKey;
  if (!isSameCharge) throw new PspUnknown(`the bank answered with another charge than ${ours.txid}`);
  if (bankCharge.brCode === undefined) throw new PspUnknown(`the bank gave no code for ${ours.txid}`);
  return bankCharge.brCode;
}
