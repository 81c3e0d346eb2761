import { brlFromCents } from '@jangada/contract';
import { z } from 'zod';
import { watchBalance } from '../bank-watch/index.ts';
import { defendDispute, listDisputes, pollDisputes, processDueDisputes } from '../disputes/index.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { readAvailable } from '../ledger/index.ts';
import { bookReturnsOfPix, requestRefund, sendRefunds } from '../refunds/index.ts';
import {
  keepDestination,
  lookUpWithdrawals,
  requestWithdrawal,
  sendWithdrawals,
  validatePayee,
  validateWithdrawal,
} from '../withdrawals/index.ts';
import { askBank, behave, goOnTo, type Past } from './past.ts';
import type { Sold } from './play-sales.ts';

const later = (past: Past, seconds: number) => new Date(past.clock.now().getTime() + seconds * 1000);

type Payee = { readonly keyType: 'email' | 'cpf' | 'cnpj'; readonly pixKey: string };
/** How the bank treats the withdrawal. Slow: it stays in progress for this many seconds. */
type Course = 'done' | 'refused' | { readonly slowSeconds: number };

/**
 * Withdraws most of a merchant's available balance, within the gateway's limits and in multiples of R$ 10, unless the
 * amount is too small.
 */
export async function playWithdrawal(
  past: Past,
  merchantId: number,
  payee: Payee,
  course: Course = 'done',
): Promise<void> {
  const merchant = await readMerchant(past.db, merchantId);
  invariant(merchant !== undefined, 'a demo without its merchant');
  const { withdrawalMax, withdrawalNight } = past.config.limits;
  // A withdrawal still in progress was requested shortly before the start, possibly at night, so the night limit
  // applies.
  const mostCents = typeof course === 'object' ? withdrawalNight : withdrawalMax;
  const wantedCents = Math.min((await readAvailable(past.db, merchantId)) * 0.7, mostCents);
  const amountCents = Math.floor(wantedCents / 1000) * 1000;
  if (amountCents < 20_000) return;
  const order = validateWithdrawal(past.config, merchant, { amountCents, ...payee });
  await watchBalance(past);
  await requestWithdrawal(past, { ...order, origin: 'panel', callbackUrl: null });
  if (course !== 'done')
    await behave(past, course === 'refused' ? { payouts: course } : { payouts: 'slow', ...course });
  await sendWithdrawals(past);
  if (course !== 'done') await behave(past, {});
  await goOnTo(past, later(past, 8));
  await lookUpWithdrawals(past);
}

/** Saves a destination for withdrawals by API key, should these be enabled. */
export async function playDestination(
  past: Past,
  merchantId: number,
  payee: Payee,
  label: string,
): Promise<void> {
  const merchant = await readMerchant(past.db, merchantId);
  invariant(merchant !== undefined, 'a demo without its merchant');
  await keepDestination(past, merchantId, { ...validatePayee(past.config, merchant, payee), label });
}

/** Refunds a payment, in full or by `amountCents`. */
export async function playRefund(
  past: Past,
  merchantId: number,
  { chargeId, endToEndId }: Sold,
  { amountCents, reason }: { readonly amountCents?: number; readonly reason: string },
): Promise<void> {
  invariant(chargeId !== undefined, 'a refund of what has no charge');
  const amount = amountCents === undefined ? undefined : brlFromCents(amountCents);
  await watchBalance(past);
  await requestRefund(past, { merchantId, chargeId, callerId: undefined, amount, reason, origin: 'panel' });
  await sendRefunds(past);
  await goOnTo(past, later(past, 8));
  await bookReturnsOfPix(past, endToEndId);
}

/** The payer disputes a payment; returns the bank's id of the dispute. */
export async function openDispute(past: Past, { endToEndId }: Sold, comment: string): Promise<string> {
  const contested = { endToEndId, reason: 'golpe', comment };
  const { id } = z
    .object({ id: z.string() })
    .parse(await askBank(past, 'POST', '/sandbox/disputes', contested));
  await goOnTo(past, later(past, 60));
  await pollDisputes(past);
  return id;
}

/** The merchant defends all open disputes. */
export async function defendDisputes(past: Past, merchantId: number, text: string): Promise<void> {
  const { disputes } = await listDisputes(past.db, merchantId, { status: 'open', limit: 10, offset: 0 });
  for (const { id } of disputes) await defendDispute(past, { merchantId, id }, { text, files: [] });
  await processDueDisputes(past);
}

/** The bank decides the dispute in the merchant's favour. */
export async function winDispute(past: Past, bankDisputeId: string): Promise<void> {
  await askBank(past, 'POST', `/sandbox/disputes/${bankDisputeId}/resolution`, { accepted: false });
  await goOnTo(past, later(past, 900));
  await processDueDisputes(past);
}
