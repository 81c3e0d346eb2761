import { Refusal } from '../refusal.ts';

type Missing = 'USER_NOT_FOUND' | 'WITHDRAWAL_NOT_FOUND' | 'REFUND_NOT_FOUND' | 'DISPUTE_NOT_FOUND';

/**
 * Parses an account id from a path or body. Text that is not an id matches no account and is refused with `missing`.
 */
export function accountId(text: string, missing: Missing = 'USER_NOT_FOUND'): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal(missing);
  return Number(text);
}
