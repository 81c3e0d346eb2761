import { WEBHOOK_LIMITS } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { isEndpoint } from './delivery.ts';
import { selectWebhookEndpoints } from './endpoint-store.ts';
import { type FailingReceiver, lockFailing, markWarned } from './health-store.ts';
import { notifyReceiverChange, turnOffWebhookEndpoint } from './turn-off-webhook-endpoint.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const rule = {
  failingMs: WEBHOOK_LIMITS.warnAfterMinutes * minute,
  lostMs: WEBHOOK_LIMITS.offAfterDays * day,
  failures: WEBHOOK_LIMITS.warnAfterAttempts,
  pauseMs: day,
  limit: 100,
};

/**
 * Notifies merchants, once a day, of receivers that accept nothing, and turns off endpoints that accepted nothing for
 * five days. Returns how many receivers it handled; unless it is 0, there may be more.
 */
export async function warnFailing(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const failing = await inTransaction(deps, async (tx) => {
    const receivers = await lockFailing(tx, rule);
    await markWarned(tx, receivers);
    for (const receiver of receivers) if (!mustBeTurnedOff(receiver)) await warn(tx, receiver);
    return receivers;
  });
  // Each in a transaction of its own, because the endpoint's row must be locked before any other.
  for (const { merchantId, receiver } of failing.filter(mustBeTurnedOff))
    await inTransaction(deps, (tx) => turnOffWebhookEndpoint(tx, merchantId, receiver, 'failing'));
  return failing.length;
}

function mustBeTurnedOff({ receiver, failingSince, lastFailedAt }: FailingReceiver): boolean {
  return (
    isEndpoint(receiver) &&
    lastFailedAt.getTime() - failingSince.getTime() >= WEBHOOK_LIMITS.offAfterDays * day
  );
}

async function warn(
  tx: Tx,
  { merchantId, receiver, failingSince, failures }: FailingReceiver,
): Promise<void> {
  const endpointId = isEndpoint(receiver) ? receiver : null;
  const address = endpointId === null ? receiver : await addressOf(tx, merchantId, endpointId);
  if (address === undefined) return;
  const minutes = Math.floor((tx.now.getTime() - failingSince.getTime()) / minute);
  const end =
    endpointId === null
      ? ''
      : ` Depois de ${WEBHOOK_LIMITS.offAfterDays} dias sem aceitar nada, ele é desligado.`;
  await notifyReceiverChange(tx, {
    merchantId,
    type: 'webhook.failing',
    endpointId,
    title: 'Um endereço de webhook não responde',
    news: (name) =>
      `${name} não aceita nada há ${formatFailingTime(minutes)}: ${failures} tentativas falharam.${end} Veja as respostas dele no registro de entregas, em Webhooks.`,
    address,
  });
}

function formatFailingTime(minutes: number): string {
  if (minutes < 120) return `${minutes} minutos`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} horas` : `${Math.floor(minutes / 1440)} dias`;
}

async function addressOf(tx: Tx, merchantId: number, endpointId: string): Promise<string | undefined> {
  const [endpoint] = await selectWebhookEndpoints(tx.db, merchantId, endpointId);
  return endpoint?.state === 'on' ? new URL(endpoint.url).origin : undefined;
}
