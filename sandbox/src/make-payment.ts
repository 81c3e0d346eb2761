import { isTxid } from '@jangada/pix';
import { z } from 'zod';
import { DEFAULT_PAYER } from './account.ts';
import type { Accounts } from './accounts.ts';
import { type AutomaticChange, approveRec } from './automatic/end-rec.ts';
import { readMandateCode } from './automatic/read-mandate-code.ts';
import type { Bank } from './bank.ts';
import { dayAt } from './bank-days.ts';
import { specialEffect } from './behaviour.ts';
import { amountOn } from './cobv-amount.ts';
import { debitAppCustomer } from './debit-app-customer.ts';
import { MAX_CENTS, readAmount } from './move-money.ts';
import type { Subject } from './notifier.ts';
import { newEndToEndId } from './pix.ts';
import { checkPayable, findByKey, readCode } from './read-code.ts';
import type { Pix, PixParts, SandboxCobv } from './records.ts';
import { SandboxRefusal } from './refusal.ts';

const NO_CHANGE: AutomaticChange = { records: [], subjects: [] };

const NO_PARTS = { fineCents: 0, interestCents: 0, rebateCents: 0, discountCents: 0 };

const commonFields = {
  /** BRL with at most two decimals. */
  amount: z.number().optional(),
  payer: z
    .object({ name: z.string().min(1).max(200), document: z.string().regex(/^(\d{11}|[\dA-Z]{12}\d{2})$/) })
    .optional(),
  /** The payer's message to the payee. */
  message: z.string().max(140).optional(),
  /**
   * Allows payments that a bank would refuse: for a paid, expired or removed charge, or with another amount than that
   * of the charge. Tests need them, because the gateway must cope with such payments if a bank lets one through.
   */
  force: z.boolean().optional(),
};

const paymentSchema = z.union([
  z.strictObject({ ...commonFields, brCode: z.string().max(21_000) }),
  z.strictObject({
    ...commonFields,
    key: z.string(),
    amount: z.number(),
    txid: z.string().refine(isTxid).optional(),
  }),
]);

type PaymentRequest = z.infer<typeof paymentSchema>;

/** The response to a payment. `amount` is in BRL. */
export interface PaymentReceipt {
  readonly endToEndId: string;
  readonly txid: string | null;
  readonly amount: number;
  readonly status: 'completed';
}

/**
 * Pays a code, or a key directly, to the account that has it, notifies the account's webhook, and resolves when the
 * payment is on disk. The body is `{brCode, amount?}` or `{key, amount, txid?}`, with `payer?`, `message?` and
 * `force?`. If the code has a mandate that the payment approves (Pix Automático, journey 3), `maxCents` is the payer's
 * maximum for it. Throws `SandboxRefusal`.
 */
export async function makePayment(
  accounts: Accounts,
  body: unknown,
  maxCents?: number,
): Promise<PaymentReceipt> {
  const { data } = paymentSchema.safeParse(body);
  if (data === undefined) throw new SandboxRefusal('INVALID_REQUEST', 'O pagamento não pode ser lido.');
  const { bank, pix } = buildPix(accounts, data);
  const record = {
    t: 'pix' as const,
    pix,
    ...(data.payer === undefined && debitAppCustomer(accounts, pix.amountCents)),
  };
  const approval = 'brCode' in data ? approveByPayment(accounts, data.brCode, pix, maxCents) : NO_CHANGE;
  await bank.notifier.recordAndNotify(
    [record, ...approval.records],
    [...subjectsOf(pix), ...approval.subjects],
    specialEffect(pix.amountCents),
  );
  return {
    endToEndId: pix.endToEndId,
    txid: pix.txid ?? null,
    amount: pix.amountCents / 100,
    status: 'completed',
  };
}

/** Approves the mandate of a code whose payment approves it, if it still waits for that. */
function approveByPayment(
  accounts: Accounts,
  brCode: string,
  { payer, at }: Pix,
  maxCents: number | undefined,
): AutomaticChange {
  const mandate = readMandateCode(accounts, brCode);
  if (mandate?.journey !== 'JORNADA_3' || mandate.rec.status !== 'CRIADA') return NO_CHANGE;
  const { bank, rec } = mandate;
  const approver = { ...payer, ispb: bank.account.ispb, ...(maxCents !== undefined && { maxCents }) };
  return approveRec(rec, 'JORNADA_3', approver, at);
}

function buildPix(accounts: Accounts, request: PaymentRequest): { bank: Bank; pix: Pix } {
  const at = accounts.clock.now();
  const { bank, amountCents, ...target } =
    'key' in request ? targetOfKey(accounts, request) : targetOfCode(accounts, request, at);
  if (specialEffect(amountCents) === 'payment-refused' && request.force !== true) {
    throw new SandboxRefusal('INSUFFICIENT_FUNDS', 'Saldo insuficiente para este pagamento.');
  }
  const pix = {
    ...target,
    amountCents,
    endToEndId: newEndToEndId(bank.account.ispb, at),
    at,
    payer: request.payer ?? DEFAULT_PAYER,
    ...(request.message !== undefined && { message: request.message }),
  };
  return { bank, pix };
}

function targetOfKey(accounts: Accounts, { key, txid, amount }: Extract<PaymentRequest, { key: string }>) {
  const bank = findByKey(accounts, key);
  return { bank, key, amountCents: readAmount(amount), ...(txid !== undefined && { txid }) };
}

function targetOfCode(
  accounts: Accounts,
  { brCode, amount, force }: Extract<PaymentRequest, { brCode: string }>,
  now: number,
) {
  const enteredCents = amount === undefined ? undefined : readAmount(amount);
  const payable = readCode(accounts, brCode);
  if (payable.kind === 'key') {
    const { bank, key, txid } = payable;
    return {
      bank,
      key,
      amountCents: chooseAmount(enteredCents, payable.amountCents, force),
      ...(txid !== undefined && { txid }),
    };
  }
  if (force !== true) checkPayable(payable, now);
  if (payable.kind === 'cobv') return targetOfCobv(payable.bank, payable.charge, enteredCents, now, force);
  const { bank, charge } = payable;
  const { terms, key, txid } = charge;
  const requestedCents = terms.amountCents === 0 ? undefined : terms.amountCents;
  return {
    bank,
    key,
    txid,
    amountCents: chooseAmount(enteredCents, requestedCents, force === true || terms.alterable),
  };
}

/**
 * Returns what pays a charge with a due date: the amount of the day, with its parts. Another amount, which only `force`
 * allows, has no parts but itself.
 */
function targetOfCobv(
  bank: Bank,
  { key, txid, terms }: SandboxCobv,
  enteredCents: number | undefined,
  now: number,
  force: boolean | undefined,
) {
  const { finalCents, ...owed } = amountOn(terms, dayAt(now));
  if (enteredCents === undefined && (finalCents === 0 || finalCents > MAX_CENTS)) {
    throw new SandboxRefusal('INVALID_AMOUNT', 'Nesta data a cobrança não tem um valor que se possa pagar.');
  }
  const amountCents = chooseAmount(enteredCents, finalCents, force);
  const { valueParts } = bank.books.behaviour;
  const parts: PixParts = {
    ...(amountCents === finalCents ? owed : { ...NO_PARTS, originalCents: amountCents }),
    ...(valueParts !== 'normal' && { shown: valueParts }),
  };
  return { bank, key, txid, amountCents, parts };
}

/** Returns the amount to pay: the one that the payer entered, or else the one in the code or charge. */
function chooseAmount(
  enteredCents: number | undefined,
  requestedCents: number | undefined,
  mayDiffer = false,
): number {
  const cents = enteredCents ?? requestedCents;
  if (cents === undefined) throw new SandboxRefusal('AMOUNT_REQUIRED', 'Digite quanto quer pagar.');
  if (requestedCents !== undefined && cents !== requestedCents && !mayDiffer) {
    throw new SandboxRefusal('AMOUNT_MISMATCH', 'O valor não é o da cobrança.');
  }
  return cents;
}

/** Returns the subject to notify: none for a Pix without a txid, by BACEN's rule (PUT /webhook/{chave}). */
function subjectsOf({ txid, endToEndId, key, at }: Pix): Subject[] {
  return txid === undefined ? [] : [{ id: endToEndId, endToEndId, key, at }];
}
