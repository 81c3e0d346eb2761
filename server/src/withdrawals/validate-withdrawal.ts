import { feeCents, MIN_WITHDRAWAL_CENTS, type PixKeyTypeName } from '@jangada/contract';
import { PixRefusal, parsePixKey } from '@jangada/pix';
import type { Config } from '../config.ts';
import type { Merchant } from '../identity/index.ts';
import { formatBrl } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';

/** What a merchant may be given, as far as it can be said without looking at what they have. */
export type ValidatedWithdrawal = {
  readonly merchantId: number;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly keyType: PixKeyTypeName;
  readonly pixKey: string;
};

type Wanted = {
  /** In integer cents; undefined for what is no amount. */
  readonly amountCents: number | undefined;
  readonly keyType: PixKeyTypeName;
  /** As it was typed. */
  readonly pixKey: string;
};

/**
 * Reads what is wanted: fee by the merchant's terms, key in its canonical form. The key is not looked up in DICT: form
 * and check digits are verified, and who it belongs to is the bank's to say.
 * Refused with AMOUNT_INVALID, WITHDRAWAL_MINIMUM, WITHDRAWAL_TOO_LARGE, WITHDRAWAL_TOO_SMALL, or as `readPayee`.
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
 * Where money may go. Refused with PIX_KEY_INVALID, PIX_KEY_OF_GATEWAY, and, where the settings want it, PIX_KEY_NOT_OWN
 * for all but the account's own CPF or CNPJ: whose e-mail, phone or random key it is cannot be seen.
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
