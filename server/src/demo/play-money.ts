import { brlFromCents } from '@jangada/contract';
import { z } from 'zod';
import { watchBalance } from '../bank-watch/index.ts';
import { defendDispute, listDisputes, pollDisputes, processDueDisputes } from '../disputes/index.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { readAvailable } from '../ledger/index.ts';
import { bookReturnsOfPix, requestRefund, sendRefunds } from '../refunds/index.ts';
import {
  lookUpWithdrawals,
  requestWithdrawal,
  sendWithdrawals,
  storeDestination,
  validatePayee,
  validateWithdrawal,
} from '../withdrawals/index.ts';
import { advanceTo, callSandbox, type PastDeps, setBankBehaviour } from './past.ts';
import type { PaidSale } from './play-sales.ts';

/** After this time the bank has finished a payout or a refund that is not slow. */
const bankWaitSeconds = 8;

const secondsFromNow = (past: PastDeps, seconds: number) =>
  new Date(past.clock.now().getTime() + seconds * 1000);

type Payee = { readonly keyType: 'email' | 'cpf' | 'cnpj'; readonly pixKey: string };
/** The outcome of the withdrawal at the bank. With `slowSeconds`, it stays in progress for that long. */
type BankOutcome = 'done' | 'refused' | { readonly slowSeconds: number };

/**
 * Withdraws most of a merchant's available balance, within the gateway's limits and in multiples of R$ 10. Does nothing
 * if that is less than R$ 200.
 */
export async function playWithdrawal(
  past: PastDeps,
  merchantId: number,
  payee: Payee,
  bankOutcome: BankOutcome = 'done',
): Promise<void> {
  const merchant = await readMerchant(past.db, merchantId);
  invariant(merchant !== undefined, 'a demo without its merchant');
  const { withdrawalMaxCents, withdrawalsPerNightCents } = past.config.limits;
  // A withdrawal that stays in progress is requested shortly before the present, which may be at night, so the night
  // limit applies.
  const maxCents = typeof bankOutcome === 'object' ? withdrawalsPerNightCents : withdrawalMaxCents;
  const targetCents = Math.min((await readAvailable(past.db, merchantId)) * 0.7, maxCents);
  const amountCents = Math.floor(targetCents / 1000) * 1000;
  if (amountCents < 20_000) return;
  const order = validateWithdrawal(past.config, merchant, { amountCents, ...payee });
  // No payout leaves while the balance at the bank is unknown.
  await watchBalance(past);
  await requestWithdrawal(past, { ...order, origin: 'panel', callbackUrl: null });
  if (bankOutcome !== 'done')
    await setBankBehaviour(
      past,
      bankOutcome === 'refused' ? { payouts: bankOutcome } : { payouts: 'slow', ...bankOutcome },
    );
  await sendWithdrawals(past);
  if (bankOutcome !== 'done') await setBankBehaviour(past, {});
  await advanceTo(past, secondsFromNow(past, bankWaitSeconds));
  await lookUpWithdrawals(past);
}

/** Saves a destination for withdrawals by API key, in case the merchant enables such withdrawals. */
export async function playDestination(
  past: PastDeps,
  merchantId: number,
  payee: Payee,
  label: string,
): Promise<void> {
  const merchant = await readMerchant(past.db, merchantId);
  invariant(merchant !== undefined, 'a demo without its merchant');
  await storeDestination(
    past,
    { merchantId, userId: merchantId },
    { ...validatePayee(past.config, merchant, payee), label },
  );
}

/** Refunds a payment: in full, or only `amountCents` of it. */
export async function playRefund(
  past: PastDeps,
  merchantId: number,
  { chargeId, endToEndId }: PaidSale,
  { amountCents, reason }: { readonly amountCents?: number; readonly reason: string },
): Promise<void> {
  invariant(chargeId !== undefined, 'a refund of what has no charge');
  const amount = amountCents === undefined ? undefined : brlFromCents(amountCents);
  await watchBalance(past);
  await requestRefund(past, { merchantId, chargeId, externalId: undefined, amount, reason, origin: 'panel' });
  await sendRefunds(past);
  await advanceTo(past, secondsFromNow(past, bankWaitSeconds));
  await bookReturnsOfPix(past, endToEndId);
}

/** Disputes a payment as its payer; returns the bank's id of the dispute. */
export async function openDispute(
  past: PastDeps,
  { endToEndId }: PaidSale,
  comment: string,
): Promise<string> {
  const claim = { endToEndId, reason: 'golpe', comment };
  const { id } = z
    .object({ id: z.string() })
    .parse(await callSandbox(past, 'POST', '/sandbox/disputes', claim));
  await advanceTo(past, secondsFromNow(past, 60));
  await pollDisputes(past);
  return id;
}

/** Defends all open disputes of a merchant. */
export async function defendDisputes(past: PastDeps, merchantId: number, text: string): Promise<void> {
  const { disputes } = await listDisputes(past.db, merchantId, { status: 'open', limit: 10, offset: 0 });
  for (const { id } of disputes) await defendDispute(past, { merchantId, id }, { text, files: [] });
  await processDueDisputes(past);
}

/** Lets the bank decide a dispute in the merchant's favour. */
export async function winDispute(past: PastDeps, bankDisputeId: string): Promise<void> {
  await callSandbox(past, 'POST', `/sandbox/disputes/${bankDisputeId}/resolution`, { accepted: false });
  await advanceTo(past, secondsFromNow(past, 900));
  await processDueDisputes(past);
}
