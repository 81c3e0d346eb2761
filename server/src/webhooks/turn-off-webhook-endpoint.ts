import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { selectWebhookEndpoints, setWebhookEndpointState, shortEndpointId } from './endpoint-store.ts';
import { clearFailures } from './health-store.ts';

/** Why an endpoint was turned off, as the message says after its name. */
const turnedOffReasons = {
  gone: 'respondeu 410 (não quer mais eventos)',
  failing: 'não aceitou nada por 5 dias',
} as const;

const howToTurnOn =
  'Os eventos dos últimos 3 dias esperam: ligue o endereço de novo em Webhooks e eles são enviados. Os de 30 dias podem ser lidos em GET /api/events.';

/**
 * Turns an endpoint off; the deliveries that wait for it are held. The merchant is notified, unless they turned it off
 * themselves. Returns false if the endpoint was already off or does not exist.
 */
export async function turnOffWebhookEndpoint(
  tx: Tx,
  merchantId: number,
  endpointId: string,
  reason: 'merchant' | 'gone' | 'failing',
): Promise<boolean> {
  if (!(await setWebhookEndpointState(tx, merchantId, endpointId, reason))) return false;
  tx.wakeAfterCommit({ merchantIds: [merchantId] });
  await clearFailures(tx, merchantId, endpointId);
  if (reason !== 'merchant') await notifyTurnedOff(tx, merchantId, endpointId, reason);
  return true;
}

async function notifyTurnedOff(
  tx: Tx,
  merchantId: number,
  endpointId: string,
  reason: 'gone' | 'failing',
): Promise<void> {
  const [endpoint] = await selectWebhookEndpoints(tx.db, merchantId, endpointId);
  if (endpoint === undefined) return;
  await notifyReceiverChange(tx, {
    merchantId,
    type: 'webhook.off',
    endpointId,
    title: 'Endereço de webhook desligado',
    buildMessage: (name) => `${name} ${turnedOffReasons[reason]} e foi desligado. ${howToTurnOn}`,
    address: new URL(endpoint.url).origin,
  });
}

/** News about a receiver of webhooks: an endpoint, or the callback addresses with one origin. */
export type ReceiverChange = {
  readonly merchantId: number;
  readonly type: 'webhook.off' | 'webhook.failing';
  /** Null for a callback origin. */
  readonly endpointId: string | null;
  readonly title: string;
  /** Builds the message, which begins with the receiver's name. */
  readonly buildMessage: (name: string) => string;
  /** The scheme, host and port of the receiver's URL. */
  readonly address: string;
};

/**
 * Notifies a merchant about a receiver, in the panel and by mail. A stranger may have chosen the receiver's address, so
 * the mail names only its host, which mail clients do not turn into a link. As several endpoints may share a host, the
 * mail also gives an endpoint's short id.
 */
export async function notifyReceiverChange(tx: Tx, change: ReceiverChange): Promise<void> {
  const { merchantId, type, endpointId, title, address } = change;
  const data = { type, id: endpointId };
  const body = change.buildMessage(`O endereço de webhook ${address}`);
  await writeMessages(tx, await saveNotifications(tx, [{ merchantId, title, body, data }]));
  const idSuffix = endpointId === null ? '' : ` (id ${shortEndpointId(endpointId)})`;
  const paragraphs = [change.buildMessage(`O endereço de webhook em ${new URL(address).host}${idSuffix}`)];
  await writeMail(tx, { userId: merchantId, kind: 'webhook', subject: title, paragraphs });
}
