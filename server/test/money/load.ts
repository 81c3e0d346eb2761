import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestBank } from '../bank.ts';
import type { Random } from './random.ts';

/** A call that moves money, and its outcome. Repeated under its idempotency key, it is the same call. */
export type MoneyCall = {
  readonly kind: 'withdrawal' | 'refund' | 'charge';
  readonly path: string;
  readonly key: string;
  readonly apiKey: string;
  readonly merchantId: number;
  readonly body: unknown;
  /**
   * `acknowledged`: the gateway accepted the call and responded with `id`. `refused`: the gateway clearly refused it.
   * `unknown`: the call was sent, and no usable response arrived. `never-sent`: the gateway took no connection.
   */
  outcome: 'acknowledged' | 'refused' | 'unknown' | 'never-sent';
  id: string | undefined;
  /** The last answer if the outcome is unknown, to explain a failed test. */
  lastAnswer?: string;
};

export type LoadMerchant = {
  readonly id: number;
  readonly apiKey: string;
  /** Payments that may be refunded or contested. */
  readonly paid: { readonly id: string; readonly endToEndId: string }[];
};

export const loadDestination = 'maria@example.com';

/**
 * Sends a move, for the first time or again, and records its outcome in it. After a 5xx, a broken connection or a
 * missing response the outcome is unknown. Returns the body of the response.
 */
export async function sendMoneyCall(url: string, move: MoneyCall): Promise<Record<string, unknown>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}/api${move.path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': move.apiKey,
        'idempotency-key': move.key,
      },
      body: JSON.stringify(move.body),
      signal: AbortSignal.timeout(30_000),
    });
    text = await response.text();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    // Without a connection the call changed nothing, so the outcome of an earlier attempt remains.
    const wasNeverSent = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    if (!wasNeverSent) move.outcome = 'unknown';
    move.lastAnswer = String(cause ?? error);
    return {};
  }
  const body: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : {};
  if (response.ok) {
    move.outcome = 'acknowledged';
    move.id = String(body['withdrawal_id'] ?? body['id']);
  } else if (response.status >= 500 || /IDEMPOTENCY_IN_PROGRESS/.test(text)) {
    move.outcome = 'unknown';
    move.lastAnswer = `${response.status} ${text}`;
  } else move.outcome = 'refused';
  return body;
}

/** Makes the traffic of one merchant: payments, withdrawals, refunds and disputes, until `isStopped`. */
export async function runTraffic(
  url: string,
  bank: TestBank,
  merchant: LoadMerchant,
  random: Random,
  moves: MoneyCall[],
  isStopped: () => boolean,
): Promise<void> {
  const { apiKey, id: merchantId } = merchant;
  const newMove = (kind: MoneyCall['kind'], path: string, body: unknown): MoneyCall => {
    const move: MoneyCall = {
      kind,
      path,
      key: randomUUID(),
      apiKey,
      merchantId,
      body,
      outcome: 'never-sent',
      id: undefined,
    };
    moves.push(move);
    return move;
  };
  while (!isStopped()) {
    const dice = random.between(1, 100);
    const paidCharge = random.pick(merchant.paid);
    if (dice <= 40) {
      const charge = newMove('charge', '/pix/new', {
        amount: random.between(2000, 9000) / 100,
        image: false,
      });
      const { content, id } = await sendMoneyCall(url, charge);
      if (typeof content !== 'string') continue;
      const endToEndId = await bank.pay({ brCode: content }).catch(() => undefined);
      if (endToEndId !== undefined) merchant.paid.push({ id: String(id), endToEndId });
    } else if (dice <= 70) {
      // Some of these amounts, less the fee, trigger special behaviour of the bank.
      const amount = random.chance(15) ? random.between(1501, 1508) : random.between(500, 3000);
      await sendMoneyCall(
        url,
        newMove('withdrawal', '/withdraw', { amount, pixKey: loadDestination, keyType: 'email' }),
      );
    } else if (dice <= 92 && paidCharge !== undefined) {
      const amount = random.between(1, 900) / 100;
      await sendMoneyCall(url, newMove('refund', `/pix/${paidCharge.id}/refund`, { amount }));
    } else if (paidCharge !== undefined) {
      const contested = { endToEndId: paidCharge.endToEndId, amountCents: random.between(100, 1500) };
      const disputeId = await bank.openDispute(contested).catch(() => undefined);
      await sleep(random.between(1, 40));
      if (disputeId !== undefined) await bank.resolveDispute(disputeId, { accepted: random.chance(50) });
    }
  }
}
