import { WEBHOOK_LIMITS } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { workOnEachAlone } from '../work-alone.ts';
import { isEndpoint } from './delivery.ts';
import { selectWebhookEndpoints } from './endpoint-store.ts';
import { type FailingReceiver, lockFailingReceivers, markWarned } from './health-store.ts';
import { notifyReceiverChange, turnOffWebhookEndpoint } from './turn-off-webhook-endpoint.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** The rule by which failing receivers are found. `turnOffAfterMs`: an endpoint that has failed for so long is turned off. */
const rule = {
  failingMs: WEBHOOK_LIMITS.warnAfterMinutes * minuteMs,
  turnOffAfterMs: WEBHOOK_LIMITS.offAfterDays * dayMs,
  failures: WEBHOOK_LIMITS.warnAfterAttempts,
  pauseMs: dayMs,
  limit: 100,
};

/**
 * Notifies merchants, once a day, of receivers that accept nothing, and turns off endpoints that accepted nothing for
 * five days. Returns how many receivers it handled; unless it is 0, there may be more.
 */
export async function warnFailing(deps: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<number> {
  const failing = await inTransaction(deps, async (tx) => {
    const receivers = await lockFailingReceivers(tx, rule);
    await markWarned(tx, receivers);
    for (const receiver of receivers) if (!mustBeTurnedOff(receiver)) await warn(tx, receiver);
    return receivers;
  });
  // Each endpoint is turned off in a transaction of its own, which must lock the endpoint's row before any other.
  await workOnEachAlone(deps.log, failing.filter(mustBeTurnedOff), {
    work: ({ merchantId, receiver }) =>
      inTransaction(deps, (tx) => turnOffWebhookEndpoint(tx, merchantId, receiver, 'failing')),
    describe: ({ merchantId, receiver }) => ({ merchantId, failingReceiver: receiver }),
  });
  return failing.length;
}

function mustBeTurnedOff({ receiver, failingSince, lastFailedAt }: FailingReceiver): boolean {
  return (
    isEndpoint(receiver) &&
    lastFailedAt.getTime() - failingSince.getTime() >= WEBHOOK_LIMITS.offAfterDays * dayMs
  );
}

async function warn(
  tx: Tx,
  { merchantId, receiver, failingSince, failures }: FailingReceiver,
): Promise<void> {
  const endpointId = isEndpoint(receiver) ? receiver : null;
  const address = endpointId === null ? receiver : await readAddressIfOn(tx, merchantId, endpointId);
  if (address === undefined) return;
  const minutes = Math.floor((tx.now.getTime() - failingSince.getTime()) / minuteMs);
  const turnOffText =
    endpointId === null
      ? ''
      : ` Depois de ${WEBHOOK_LIMITS.offAfterDays} dias sem aceitar nada, ele é desligado.`;
  await notifyReceiverChange(tx, {
    merchantId,
    type: 'webhook.failing',
    endpointId,
    title: 'Um endereço de webhook não responde',
    buildMessage: (name) =>
      `${name} não aceita nada há ${formatFailingTime(minutes)}: ${failures} tentativas falharam.${turnOffText} Veja as respostas dele no registro de entregas, em Webhooks.`,
    address,
  });
}

function formatFailingTime(minutes: number): string {
  if (minutes < 120) return `${minutes} minutos`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} horas` : `${Math.floor(minutes / 1440)} dias`;
}

/** Returns the scheme, host and port of an endpoint's URL; undefined unless the endpoint is on. */
async function readAddressIfOn(tx: Tx, merchantId: number, endpointId: string): Promise<string | undefined> {
  const [endpoint] = await selectWebhookEndpoints(tx.db, merchantId, endpointId);
  return endpoint?.state === 'on' ? new URL(endpoint.url).origin : undefined;
}
