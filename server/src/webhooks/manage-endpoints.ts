import {
  type EventType,
  type updateWebhookEndpoint,
  WEBHOOK_LIMITS,
  type WebhookEndpoint,
} from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { checkUrl, createAddressRules, FetchFailed } from '../guarded-fetch/index.ts';
import type { Call } from '../http/route.ts';
import { requireFactorOrPassword } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { giveUpRetries, makeRetriesDue } from './delivery-store.ts';
import {
  deleteWebhookEndpointRow,
  insertWebhookEndpointRow,
  lockWebhookEndpointIds,
  newWebhookEndpointId,
  type StoredWebhookEndpoint,
  selectWebhookEndpoints,
  setWebhookEndpointState,
  updateWebhookEndpointRow,
} from './endpoint-store.ts';
import { clearFailures, deleteHealth } from './health-store.ts';
import { notifyOwner } from './notify-owner.ts';
import { deleteSecrets } from './secret-store.ts';
import { createSecret } from './secrets.ts';
import { turnOffWebhookEndpoint } from './turn-off-webhook-endpoint.ts';

type EndpointDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'config'>;

type WebhookEndpointInput = {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
};

/** Returns a merchant's endpoints, oldest first. */
export async function readWebhookEndpoints(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<WebhookEndpoint[]> {
  return (await selectWebhookEndpoints(db, merchantId)).map(toWebhookEndpoint);
}

/** @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND */
export async function readWebhookEndpoint(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<WebhookEndpoint> {
  const [endpoint] = await selectWebhookEndpoints(db, merchantId, id);
  if (endpoint === undefined) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  return toWebhookEndpoint(endpoint);
}

/**
 * Creates an endpoint with its own secret, which is returned only once.
 * @throws {Refusal} INVALID_CALLBACK_URL, WEBHOOK_ENDPOINT_LIMIT
 */
export async function addWebhookEndpoint(
  deps: EndpointDeps,
  merchantId: number,
  input: WebhookEndpointInput,
): Promise<WebhookEndpoint & { readonly secret: string }> {
  checkCallbackUrl(deps.config, input.url);
  return inTransaction(deps, async (tx) => {
    const existingIds = await lockWebhookEndpointIds(tx, merchantId);
    if (existingIds.length >= WEBHOOK_LIMITS.endpoints) throw new Refusal('WEBHOOK_ENDPOINT_LIMIT');
    const id = newWebhookEndpointId(existingIds);
    await insertWebhookEndpointRow(tx, { ...input, events: distinct(input.events), merchantId, id });
    const secret = await createSecret(tx, { merchantId, receiver: id });
    await notifyOwner(tx, merchantId, 'added');
    return { ...(await readWebhookEndpoint(tx.db, merchantId, id)), secret };
  });
}

/**
 * Changes an endpoint. A new URL could let somebody else follow the merchant's payments, so it requires proof that the
 * caller is the account's owner.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND, INVALID_CALLBACK_URL, and those of `requireFactorOrPassword`
 */
export async function changeWebhookEndpoint(
  deps: EndpointDeps,
  { caller, stepUp }: Pick<Call<typeof updateWebhookEndpoint>, 'caller' | 'stepUp'>,
  id: string,
  input: WebhookEndpointInput,
): Promise<WebhookEndpoint> {
  const merchantId = caller.accountId;
  return inTransaction(deps, async (tx) => {
    const endpoint = { ...input, events: distinct(input.events), merchantId, id };
    const existingIds = await lockWebhookEndpointIds(tx, merchantId);
    if (!existingIds.includes(id)) throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
    const before = await readWebhookEndpoint(tx.db, merchantId, id);
    checkCallbackUrl(deps.config, input.url);
    if (before.url !== input.url) {
      await requireFactorOrPassword({ db: tx.db, clock: deps.clock }, caller, stepUp);
      await notifyOwner(tx, merchantId, 'moved');
    }
    await updateWebhookEndpointRow(tx, endpoint);
    tx.wakeAfterCommit({ merchantIds: [merchantId] });
    return readWebhookEndpoint(tx.db, merchantId, id);
  });
}

/**
 * Removes an endpoint and gives up the deliveries that wait for it. The log keeps those that were tried.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function removeWebhookEndpoint(
  deps: EndpointDeps,
  merchantId: number,
  id: string,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    if (!(await deleteWebhookEndpointRow(tx, merchantId, id)))
      throw new Refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
    await giveUpRetries(tx, merchantId, id);
    await deleteSecrets(tx, { merchantId, receiver: id });
    await deleteHealth(tx, merchantId, id);
    tx.wakeAfterCommit({ merchantIds: [merchantId] });
  });
}

/**
 * Turns an endpoint on. Events of the last three days that were held for it are sent now.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function turnOnByOwner(
  deps: EndpointDeps,
  merchantId: number,
  id: string,
): Promise<WebhookEndpoint> {
  return inTransaction(deps, async (tx) => {
    if (await setWebhookEndpointState(tx, merchantId, id, null)) {
      await makeRetriesDue(tx, merchantId, id);
      await clearFailures(tx, merchantId, id);
      tx.wakeAfterCommit({ merchantIds: [merchantId] });
    }
    return readWebhookEndpoint(tx.db, merchantId, id);
  });
}

/**
 * Turns an endpoint off, because its owner asked for it. Its deliveries are held until it is turned on again.
 * @throws {Refusal} WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function turnOffByOwner(
  deps: EndpointDeps,
  merchantId: number,
  id: string,
): Promise<WebhookEndpoint> {
  return inTransaction(deps, async (tx) => {
    await turnOffWebhookEndpoint(tx, merchantId, id, 'merchant');
    return readWebhookEndpoint(tx.db, merchantId, id);
  });
}

function distinct(events: readonly EventType[]): EventType[] {
  return [...new Set(events)];
}

function toWebhookEndpoint(endpoint: StoredWebhookEndpoint): WebhookEndpoint {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    state: endpoint.state,
    off_reason: endpoint.offReason,
    off_at: endpoint.offAt?.toISOString() ?? null,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    failures: endpoint.failures,
    last_delivered_at: endpoint.lastDeliveredAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}

/**
 * Refuses a callback URL to which no webhook could ever be sent. The IP addresses of its host are checked only on each
 * attempt, because they may change.
 * @throws {Refusal} INVALID_CALLBACK_URL
 */
export function checkCallbackUrl(config: Parameters<typeof createAddressRules>[0], url: string): void {
  try {
    checkUrl(url, createAddressRules(config));
  } catch (error) {
    throw error instanceof FetchFailed ? new Refusal('INVALID_CALLBACK_URL') : error;
  }
}
