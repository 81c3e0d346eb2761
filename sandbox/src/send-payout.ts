import type { PayoutRequest } from './api/payout-request.ts';
import type { Bank } from './bank.ts';
import { type Behaviour, SPECIAL_PAYEE_KEYS, SPECIAL_PAYOUT_AMOUNTS } from './behaviour.ts';
import { newEndToEndId } from './pix.ts';
import type { Payout } from './records.ts';
import { EfiError } from './refusal.ts';

/** The outcome of an accepted payout under each behaviour; `completes` for behaviours that are not listed. */
const FATES: Partial<Record<Behaviour['payouts'], Payout['fate']>> = {
  refused: 'fails',
  returned: 'returns',
  'wrong-notification': 'misreported',
};

/** Returns the behaviour for a payout: of a special payee key, else of a special amount, else the configured one. */
export function payoutBehaviour(bank: Bank, { payee, amountCents }: PayoutRequest): Behaviour['payouts'] {
  const keyEffect = SPECIAL_PAYEE_KEYS.find(({ key }) => key === payee.key)?.effect;
  // The other two effects of keys were handled when the request was read.
  if (keyEffect !== undefined && keyEffect !== 'key-not-found' && keyEffect !== 'key-of-another')
    return keyEffect;
  const amountEffect = SPECIAL_PAYOUT_AMOUNTS.find(({ cents }) => cents === amountCents)?.effect;
  return amountEffect ?? bank.books.behaviour.payouts;
}

/**
 * Accepts a payout and debits its amount, and resolves once the payout is on disk. The payout finishes a moment later.
 * Throws `EfiError` if the payout is not accepted. An idEnvio is accepted only once, even if its payout failed.
 */
export async function sendPayout(bank: Bank, request: PayoutRequest): Promise<Payout> {
  const { books, account } = bank;
  const behaviour = payoutBehaviour(bank, request);
  if (books.payouts.has(request.idEnvio)) {
    throw new EfiError('id_envio_duplicado', 'O id de envio informado já foi utilizado em outro pagamento.');
  }
  if (behaviour === 'refused-in-call')
    throw new EfiError('pagamento_negado', 'Pagamento negado por análises.');
  if (request.amountCents > books.availableCents) {
    throw new EfiError('saldo_insuficiente', 'Saldo insuficiente para realizar o pagamento.');
  }
  const at = books.clock.now();
  const waitMs = behaviour === 'slow' ? books.behaviour.slowSeconds * 1000 : bank.processingMs;
  const payout: Payout = {
    ...request,
    endToEndId: newEndToEndId(account.ispb, at),
    key: account.key,
    at,
    status: 'EM_PROCESSAMENTO',
    fate: FATES[behaviour] ?? 'completes',
    dueAt: at + waitMs,
  };
  await books.record({ t: 'payout', payout });
  bank.settler.wake();
  return payout;
}
