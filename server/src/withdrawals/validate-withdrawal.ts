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
  readonly pixKey: string;
};

type Wanted = {
  /** In integer cents; undefined if the input is not an amount. */
  readonly amountCents: number | undefined;
  readonly keyType: PixKeyTypeName;
  /** As typed. */
  readonly pixKey: string;
};

/**
 * Validates a request: computes the fee by the merchant's terms and puts the key in canonical form. Checks the key's
 * form and check digits only, without a DICT look-up: the bank decides who owns it. Refused with AMOUNT_INVALID,
 * WITHDRAWAL_MINIMUM, WITHDRAWAL_TOO_LARGE, WITHDRAWAL_TOO_SMALL, or as `readPayee`.
 */
export function validateWithdrawal(config: Config, merchant: Merchant, wanted: Wanted): ValidatedWithdrawal {
  const amountCents = checkedAmount(wanted.amountCents, config.limits.withdrawalMax);
  const fee = feeCents(amountCents, { rate: merchant.outRate, fixedCents: merchant.fixOutCents });
  if (fee >= amountCents) {
    throw new Refusal('WITHDRAWAL_TOO_SMALL', { details: { fee_cents: fee } });
  }
  return { merchantId: merchant.id, amountCents, feeCents: fee, ...validatePayee(config, merchant, wanted) };
}

function checkedAmount(cents: number | undefined, maxCents: number): number {
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
 * Validates the destination key. Refused with PIX_KEY_INVALID, PIX_KEY_OF_GATEWAY, and, if configured,
 * PIX_KEY_NOT_OWN for every key but the account's own CPF or CNPJ: the owner of an e-mail, phone or random key cannot
 * be verified.
 */
export function validatePayee(
  config: Pick<Config, 'pixKey' | 'ownKeysOnly'>,
  { document }: Pick<Merchant, 'document'>,
  { keyType, pixKey }: Pick<Wanted, 'keyType' | 'pixKey'>,
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
