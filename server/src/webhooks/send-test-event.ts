import { randomBytes } from 'node:crypto';
import type { TestEvent, WebhookDelivery } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { shortEndpointId } from './endpoint-store.ts';
import { insertTestDelivery } from './log-store.ts';
import { readWebhookEndpoint } from './manage-endpoints.ts';
import { readDelivery } from './read-log.ts';
import { makeEventId } from './write-events.ts';

/**
 * Sends a `webhook.test` to an endpoint, whatever types of event the endpoint receives. Like any event, it is signed,
 * and tried again if the endpoint does not accept it.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_OFF
 */
export async function sendTestEvent(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  endpointId: string,
): Promise<WebhookDelivery> {
  return inTransaction(deps, async (tx) => {
    const { url, state } = await readWebhookEndpoint(tx.db, merchantId, endpointId);
    if (state === 'off') throw new Refusal('WEBHOOK_ENDPOINT_OFF');
    const eventId = makeEventId(endpointId, `test_${randomBytes(6).toString('hex')}`);
    const body: TestEvent = {
      type: 'webhook.test',
      id: eventId,
      endpointId,
      message: 'Este é um evento de teste da Jangada. Nenhum dinheiro se moveu.',
      created_at: tx.now.toISOString(),
    };
    const id = `${eventId}.${shortEndpointId(endpointId)}`;
    await insertTestDelivery(tx, { merchantId, id, endpointId, url, body });
    tx.wakeAfterCommit({ merchantIds: [merchantId] });
    return readDelivery(tx, merchantId, id);
  });
}
