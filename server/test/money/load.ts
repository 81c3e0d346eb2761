import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestBank } from '../bank.ts';
import type { Random } from './random.ts';

/** A call that moves money, and its outcome. Repeated under its key, it is the same call. */
export type Move = {
  readonly kind: 'withdrawal' | 'refund' | 'charge';
  readonly path: string;
  readonly key: string;
  readonly apiKey: string;
  readonly merchantId: number;
  readonly body: unknown;
  /** Acknowledged: the gateway accepted it, under this id. Refused: it was clearly refused. Unknown: no response arrived. */
  outcome: 'acknowledged' | 'refused' | 'unknown' | 'never-sent';
  id: string | undefined;
};

export type LoadMerchant = {
  readonly id: number;
  readonly apiKey: string;
  /** Payments that may be refunded or contested. */
  readonly paid: { readonly id: string; readonly endToEndId: string }[];
};

export const loadDestination = 'maria@example.com';

/** Sends a move, for the first time or again. A 5xx, a broken connection or a missing response leave it unknown. */
export async function send(url: string, move: Move): Promise<Record<string, unknown>> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(`${url}/api${move.path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': move.apiKey,
        'idempotency-key': move.key,
      },
      body: JSON.stringify(move.body),
      signal: AbortSignal.timeout(30_000),
    });
    text = await answer.text();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const refused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    if (!(refused && move.outcome === 'never-sent')) move.outcome = refused ? move.outcome : 'unknown';
    return {};
  }
  const body: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : {};
  if (answer.ok) {
    move.outcome = 'acknowledged';
    move.id = String(body['withdrawal_id'] ?? body['id']);
  } else if (answer.status >= 500 || /IDEMPOTENCY_IN_PROGRESS/.test(text)) move.outcome = 'unknown';
  else move.outcome = 'refused';
  return body;
}

/** The traffic of one merchant: payments, withdrawals, refunds and disputes until it is stopped. */
export async function live(
  url: string,
  bank: TestBank,
  merchant: LoadMerchant,
  random: Random,
  moves: Move[],
  stopped: () => boolean,
): Promise<void> {
  const { apiKey, id: merchantId } = merchant;
  const move = (kind: Move['kind'], path: string, body: unknown): Move => {
    const made: Move = {
      kind,
      path,
      key: randomUUID(),
      apiKey,
      merchantId,
      body,
      outcome: 'never-sent',
      id: undefined,
    };
    moves.push(made);
    return made;
  };
  while (!stopped()) {
    const dice = random.between(1, 100);
    const known = random.pick(merchant.paid);
    if (dice <= 40) {
      const charge = move('charge', '/pix/new', { amount: random.between(2000, 9000) / 100, image: false });
      const { content, id } = await send(url, charge);
      if (typeof content !== 'string') continue;
      const endToEndId = await bank.pay({ brCode: content }).catch(() => undefined);
      if (endToEndId !== undefined) merchant.paid.push({ id: String(id), endToEndId });
    } else if (dice <= 70) {
      // Some of these amounts, less the fee, trigger special behaviour of the bank.
      const amount = random.chance(15) ? random.between(1501, 1508) : random.between(500, 3000);
      await send(url, move('withdrawal', '/withdraw', { amount, pixKey: loadDestination, keyType: 'email' }));
    } else if (dice <= 92 && known !== undefined) {
      const amount = random.between(1, 900) / 100;
      await send(url, move('refund', `/pix/${known.id}/refund`, { amount }));
    } else if (known !== undefined) {
      const contested = { endToEndId: known.endToEndId, amountCents: random.between(100, 1500) };
      const disputeId = await bank.openDispute(contested).catch(() => undefined);
      await sleep(random.between(1, 40));
      if (disputeId !== undefined) await bank.resolveDispute(disputeId, { accepted: random.chance(50) });
    }
  }
}
