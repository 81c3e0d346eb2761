import type { BankRefusal } from '../bank-orders.ts';
import type { Tx } from '../db/transaction.ts';
import { movements, post } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { publishWithdrawalEvent } from './publish-withdrawal-event.ts';
import { updateWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

/** Why a withdrawal failed: a stable code, and a sentence for the merchant. Where the money is now is added to it. */
export type FailureReason = { readonly code: string; readonly text: string };

/**
 * Fails a withdrawal that was certainly not paid out, and credits the merchant back. The withdrawal's row must be
 * locked.
 */
export async function failWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { code, text: reasonText }: FailureReason,
): Promise<void> {
  const { merchantId, connectionId, id: reference, amountCents } = withdrawal;
  const text = `${reasonText} ${isFromHouse(withdrawal) ? 'O valor voltou ao seu saldo.' : 'Nada saiu da sua conta bancária.'}`;
  await publishWithdrawalEvent(
    tx,
    { ...withdrawal, status: 'failed' },
    { title: 'Saque não realizado', body: text },
  );
  await post(tx, movements.withdrawalRefused({ merchantId, connectionId, reference, amountCents }));
  await updateWithdrawal(tx, withdrawal, {
    status: 'failed',
    error_code: code,
    error: text,
    operator_hold_reason: null,
    unknown_since: null,
    due_at: null,
  });
}

const isFromHouse = ({ connectionId }: Pick<Withdrawal, 'connectionId'>) => connectionId === HOUSE_CONNECTION;

const unknownKeyText = 'A chave PIX não existe ou não recebe Pix.';
const closedAccountText = 'A conta da chave PIX está encerrada, bloqueada ou não recebe Pix.';
const noBalanceText = 'A sua conta bancária não tem saldo para este saque.';
const retryLaterText = 'O banco não pôde fazer o envio agora. Tente de novo mais tarde.';

/**
 * Texts for the merchant, by the bank's error code (Efí's names) or the Pix reason code (two letters, two digits).
 */
const textByCode: Readonly<Record<string, string>> = {
  chave_favorecido_nao_encontrada: unknownKeyText,
  AC03: 'A conta da chave PIX não existe.',
  AC06: closedAccountText,
  AC07: closedAccountText,
  AC14: closedAccountText,
  AG03: closedAccountText,
  AM02: 'O valor passa do limite do banco de quem recebe.',
  // The merchant can do nothing about these: they concern the operator's bank account.
  saldo_insuficiente: retryLaterText,
  chave_invalida: retryLaterText,
  valor_invalido: retryLaterText,
  AM04: retryLaterText,
};

/** Those of them that mean something else at an account of the merchant's own. */
const ownTextByCode: Readonly<Record<string, string>> = {
  ...textByCode,
  saldo_insuficiente: noBalanceText,
  AM04: noBalanceText,
  chave_invalida: 'O banco não aceitou a chave Pix da sua conta. Confira-a na página Banco.',
  valor_invalido: 'O banco não aceitou o valor.',
};

/** Converts the refusal of a withdrawal's bank to the reason that is shown to the merchant. */
export function failureReasonFrom(
  withdrawal: Pick<Withdrawal, 'connectionId'>,
  { code, reason }: BankRefusal,
): FailureReason {
  const texts = isFromHouse(withdrawal) ? textByCode : ownTextByCode;
  const knownText = code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined;
  const bankText =
    reason === undefined ? 'O banco recusou o envio.' : `O banco recusou o envio: ${withFullStop(reason)}`;
  return { code: code ?? 'BANK_REFUSED', text: knownText ?? bankText };
}

function withFullStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** The bank's error codes that concern the operator's account, not the payee. */
const operatorCodes = new Set(['saldo_insuficiente', 'AM04', 'chave_invalida', 'valor_invalido']);

/** Whether a refusal of a withdrawal concerns the operator's bank account, not the payee. */
export function concernsOperator(
  withdrawal: Pick<Withdrawal, 'connectionId'>,
  { code }: BankRefusal,
): boolean {
  return isFromHouse(withdrawal) && code !== undefined && operatorCodes.has(code);
}
