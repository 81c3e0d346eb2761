import type { BankRefusal } from '../bank-orders.ts';
import type { Tx } from '../db/transaction.ts';
import { movements, post } from '../ledger/index.ts';
import { publishWithdrawalEvent } from './notify-withdrawal.ts';
import { updateWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

export type FailureReason = { readonly code: string; readonly text: string };

/** Fails a withdrawal that certainly was not paid out, and credits the merchant back. Its row must be locked. */
export async function failWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { code, text }: FailureReason,
): Promise<void> {
  const { merchantId, id: reference, amountCents } = withdrawal;
  await publishWithdrawalEvent(
    tx,
    { ...withdrawal, status: 'failed' },
    { title: 'Saque não realizado', body: text },
  );
  await post(tx, movements.withdrawalRefused({ merchantId, reference, amountCents }));
  await updateWithdrawal(tx, withdrawal, {
    status: 'failed',
    error_code: code,
    error: text,
    operator_hold: null,
    unknown_since: null,
    due_at: null,
  });
}

const noSuchKey = 'A chave PIX não existe ou não recebe Pix.';
const closedAccount = 'A conta da chave PIX está encerrada, bloqueada ou não recebe Pix.';
const notNow = 'O banco não pôde fazer o envio agora. Tente de novo mais tarde.';

const texts: Readonly<Record<string, string>> = {
  chave_favorecido_nao_encontrada: noSuchKey,
  AC03: 'A conta da chave PIX não existe.',
  AC06: closedAccount,
  AC07: closedAccount,
  AC14: closedAccount,
  AG03: closedAccount,
  AM02: 'O valor passa do limite do banco de quem recebe.',
  // Concerns the operator's own account: nothing that the merchant could fix.
  saldo_insuficiente: notNow,
  chave_invalida: notNow,
  valor_invalido: notNow,
  AM04: notNow,
};

const goneBack = 'O valor voltou ao seu saldo.';

/** The refusal as shown to the merchant. */
export function failureReasonFrom({ code, reason }: BankRefusal): FailureReason {
  const known = code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined;
  const said =
    reason === undefined ? 'O banco recusou o envio.' : `O banco recusou o envio: ${ended(reason)}`;
  return { code: code ?? 'BANK_REFUSED', text: `${known ?? said} ${goneBack}` };
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Refusals that concern the operator's bank account, not the recipient. */
const operators = new Set(['saldo_insuficiente', 'AM04', 'chave_invalida', 'valor_invalido']);

export function concernsOperator({ code }: BankRefusal): boolean {
  return code !== undefined && operators.has(code);
}
