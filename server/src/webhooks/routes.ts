import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getEvent,
  getWebhookDelivery,
  getWebhookEndpoint,
  listEvents as listEventsEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  resendWebhookDeliveries,
  resendWebhookDelivery,
  rotateWebhookEndpointSecret,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  WEBHOOK_LIMITS,
  webhookDoctor,
  webhookEndpointSecret,
  webhookSecret,
} from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Caller, type Route, route } from '../http/route.ts';
import {
  isFactorSatisfied,
  isPasswordFresh,
  requireFactor,
  requireFactorOrPassword,
  requirePassword,
} from '../identity/index.ts';
import { diagnose } from './diagnose.ts';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  readWebhookEndpoint,
  readWebhookEndpoints,
  removeWebhookEndpoint,
  turnOffByOwner,
  turnOnByOwner,
} from './manage-endpoints.ts';
import { notifyOwnerOncePerDay } from './notify-owner.ts';
import { listDeliveries, listEvents, readDeliveryDetail, readEvent } from './read-log.ts';
import {
  resendDeliveries,
  resendDeliveriesOfPeriod,
  resendDelivery,
  resendPeriodBounds,
} from './resend-deliveries.ts';
import { ALL_CALLBACKS } from './secret-store.ts';
import { readCurrentSecret, rotateSecret } from './secrets.ts';
import { sendTestEvent } from './send-test-event.ts';

type RouteDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'config'>;

export function webhookRoutes(deps: RouteDeps): Route[] {
  return [...secretRoutes(deps), ...endpointRoutes(deps), ...deliveryRoutes(deps), ...eventRoutes(deps)];
}

/**
 * With a secret, an attacker can make a shop believe that it was paid. So a session alone is not enough to see one: it
 * also takes the password and, if the account has one, the second factor.
 */
function secretRoutes(deps: RouteDeps): Route[] {
  const isPasswordAndFactorGiven = async (caller: Caller, stepUp: string | undefined) =>
    isPasswordFresh(caller, deps.clock.now()) && (await isFactorSatisfied(deps, caller, stepUp));
  const requirePasswordAndFactor = async (caller: Caller, stepUp: string | undefined) => {
    await requirePassword(deps, caller, undefined);
    await requireFactor(deps, caller, stepUp);
  };
  const notifyShown = ({ accountId }: Caller, secretOf: string) =>
    inTransaction(deps, (tx) => notifyOwnerOncePerDay(tx, accountId, 'shown', secretOf));
  return [
    route(webhookSecret, async ({ caller, stepUp }) => {
      if (!(await isPasswordAndFactorGiven(caller, stepUp))) return { secret: null };
      const secret = await readCurrentSecret(deps, { merchantId: caller.accountId, receiver: ALL_CALLBACKS });
      await notifyShown(caller, 'account');
      return { secret };
    }),
    route(rotateWebhookSecret, async ({ caller, stepUp }) => {
      await requirePasswordAndFactor(caller, stepUp);
      const secret = await rotateSecret(deps, { merchantId: caller.accountId, receiver: ALL_CALLBACKS });
      return { secret };
    }),
    route(webhookEndpointSecret, async ({ caller, stepUp, params }) => {
      // Refuses an endpoint that does not exist.
      await readWebhookEndpoint(deps.db, caller.accountId, params.id);
      const secret = await readCurrentSecret(deps, { merchantId: caller.accountId, receiver: params.id });
      if (!(await isPasswordAndFactorGiven(caller, stepUp))) return { secret: null };
      await notifyShown(caller, params.id);
      return { secret };
    }),
    route(rotateWebhookEndpointSecret, async ({ caller, stepUp, params }) => {
      await readWebhookEndpoint(deps.db, caller.accountId, params.id);
      if (caller.authMethod === 'session') await requirePasswordAndFactor(caller, stepUp);
      const secret = await rotateSecret(deps, { merchantId: caller.accountId, receiver: params.id });
      return { secret };
    }),
  ];
}

function endpointRoutes(deps: RouteDeps): Route[] {
  return [
    route(listWebhookEndpoints, async ({ caller }) => ({
      endpoints: await readWebhookEndpoints(deps, caller.accountId),
      limit: WEBHOOK_LIMITS.endpoints,
    })),
    route(createWebhookEndpoint, async ({ caller, stepUp, body }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      return addWebhookEndpoint(deps, caller.accountId, body);
    }),
    route(getWebhookEndpoint, ({ caller, params }) =>
      readWebhookEndpoint(deps.db, caller.accountId, params.id),
    ),
    route(updateWebhookEndpoint, async ({ caller, stepUp, params, body }) => {
      return changeWebhookEndpoint(deps, { caller, stepUp }, params.id, body);
    }),
    route(deleteWebhookEndpoint, async ({ caller, params }) => {
      await removeWebhookEndpoint(deps, caller.accountId, params.id);
      return { success: true as const };
    }),
    route(enableWebhookEndpoint, async ({ caller, params }) => {
      return turnOnByOwner(deps, caller.accountId, params.id);
    }),
    route(disableWebhookEndpoint, ({ caller, params }) => turnOffByOwner(deps, caller.accountId, params.id)),
    route(testWebhookEndpoint, ({ caller, params }) => sendTestEvent(deps, caller.accountId, params.id)),
    route(webhookDoctor, ({ caller, body }) => diagnose(deps, caller.accountId, body)),
  ];
}

function deliveryRoutes(deps: RouteDeps): Route[] {
  return [
    route(listWebhookDeliveries, ({ caller, query }) => {
      const { subject, ...rest } = query;
      return listDeliveries(deps, { ...rest, merchantId: caller.accountId, subjectId: subject });
    }),
    route(getWebhookDelivery, ({ caller, params }) => readDeliveryDetail(deps, caller.accountId, params.id)),
    route(resendWebhookDelivery, async ({ caller, stepUp, params }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      return resendDelivery(deps, caller, params.id);
    }),
    route(resendWebhookDeliveries, async ({ caller, stepUp, body }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      if ('ids' in body) return resendDeliveries(deps, caller, body.ids);
      const { endpoint, state } = body;
      return resendDeliveriesOfPeriod(deps, caller, { endpoint, ...resendPeriodBounds(body), state });
    }),
  ];
}

function eventRoutes(deps: RouteDeps): Route[] {
  return [
    route(listEventsEndpoint, ({ caller, query }) =>
      listEvents(deps, {
        merchantId: caller.accountId,
        after: query.after,
        type: query.type,
        limit: query.limit,
      }),
    ),
    route(getEvent, ({ caller, params }) => readEvent(deps, caller.accountId, params.id)),
  ];
}
