import { Refusal } from '../refusal.ts';

type Missing = 'USER_NOT_FOUND' | 'WITHDRAWAL_NOT_FOUND' | 'REFUND_NOT_FOUND' | 'DISPUTE_NOT_FOUND';

/** The number of an account in a path or body; what is none names nobody, and is refused with `missing`. */
export function accountId(text: string, missing: Missing = 'USER_NOT_FOUND'): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal(missing);
  return Number(text);
}
