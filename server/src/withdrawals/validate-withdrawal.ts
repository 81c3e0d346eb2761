import { feeCents, MIN_WITHDRAWAL_CENTS, type PixKeyTypeName } from '@jangada/contract';
import { PixRefusal, parsePixKey } from '@jangada/pix';
import type { Config } from '../config.ts';
import type { Merchant } from '../identity/index.ts';
import { formatBrl } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';

/** A withdrawal that passed every check that does not depend on the balance. */
export type ValidatedWithdrawal = {
  readonly merchantId: number;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly keyType: PixKeyTypeName;
  /** In the canonical form of DICT, the central bank's directory of Pix keys. */
  readonly pixKey: string;
};

type WithdrawalRequest = {
  /** In integer cents; undefined if the input is not an amount. */
  readonly amountCents: number | undefined;
  readonly keyType: PixKeyTypeName;
  /** The payee's Pix key as typed. */
  readonly pixKey: string;
};

/**
 * Validates a request, computes the fee by the merchant's terms and puts the Pix key in canonical form. Checks only the
 * form and check digits of the Pix key: whether it exists in DICT, only the bank can tell. Refuses with AMOUNT_INVALID,
 * WITHDRAWAL_MINIMUM, WITHDRAWAL_TOO_LARGE, WITHDRAWAL_TOO_SMALL, and with the refusals of `validatePayee`.
 */
export function validateWithdrawal(
  config: Config,
  merchant: Merchant,
  request: WithdrawalRequest,
): ValidatedWithdrawal {
  const amountCents = checkAmount(request.amountCents, config.limits.withdrawalMaxCents);
  const fee = feeCents(amountCents, { rate: merchant.outRate, fixedCents: merchant.fixOutCents });
  if (fee >= amountCents) throw new Refusal('WITHDRAWAL_TOO_SMALL', { details: { fee_cents: fee } });
  const payee = validatePayee(config, merchant, request);
  return { merchantId: merchant.id, amountCents, feeCents: fee, ...payee };
}

function checkAmount(cents: number | undefined, maxCents: number): number {
  const details = { min_cents: MIN_WITHDRAWAL_CENTS, max_cents: maxCents };
  if (cents === undefined || !Number.isSafeInteger(cents) || cents <= 0)
    throw new Refusal('AMOUNT_INVALID', { message: 'Valor de saque inválido.', details });
  if (cents < MIN_WITHDRAWAL_CENTS) throw new Refusal('WITHDRAWAL_MINIMUM', { details });
  if (cents > maxCents) {
    const message = `O valor máximo por saque é ${formatBrl(maxCents)}.`;
    throw new Refusal('WITHDRAWAL_TOO_LARGE', { message, details });
  }
  return cents;
}

/**
 * Validates the payee's Pix key. Refuses with PIX_KEY_INVALID and PIX_KEY_OF_GATEWAY. If the operator allows only own
 * keys, refuses every key but the account's CPF or CNPJ (personal or company tax number) with PIX_KEY_NOT_OWN, because
 * the owner of an e-mail, phone or random key cannot be verified.
 */
export function validatePayee(
  config: Pick<Config, 'pixKey' | 'ownKeysOnly'>,
  { document }: Pick<Merchant, 'document'>,
  { keyType, pixKey }: Pick<WithdrawalRequest, 'keyType' | 'pixKey'>,
): Pick<ValidatedWithdrawal, 'keyType' | 'pixKey'> {
  const key = canonicalKey(keyType, pixKey);
  if (key === config.pixKey) throw new Refusal('PIX_KEY_OF_GATEWAY');
  if (config.ownKeysOnly && key !== document) throw new Refusal('PIX_KEY_NOT_OWN');
  return { keyType, pixKey: key };
}

function canonicalKey(keyType: PixKeyTypeName, text: string): string {
  try {
    return parsePixKey(keyType, text);
  } catch (error) {
    throw error instanceof PixRefusal ? new Refusal('PIX_KEY_INVALID') : error;
  }
}
