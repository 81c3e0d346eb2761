import {
  brlFromCents,
  cancelCycle,
  cancelSubscription,
  chargeCycle,
  createSubscription,
  getSubscription,
  getSubscriptionSummary,
  listCycles,
  listSubscriptions,
  type ResponseOf,
  setCycleAmount,
} from '@jangada/contract';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import { seesCustomerDocuments } from '../customers/index.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { credentialOf } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import {
  cancelSubscription as cancelAll,
  cancelCycle as cancelOne,
  chargeCycle as charge,
  setCycleAmount as setAmount,
} from './change-subscription.ts';
import { createSubscription as create } from './create-subscription.ts';
import { dueDayOf } from './cycle-days.ts';
import { type CycleKey, findCycle, listCycles as listStored, sumCyclesUntil } from './cycle-store.ts';
import {
  countSubscriptions,
  findSubscription,
  listSubscriptions as listAll,
  listRhythms,
  type SharedRhythm,
} from './store.ts';
import type { StoredSubscription } from './subscription.ts';
import { toCycleResponses, toResponse, toResponses } from './subscription-response.ts';

/** A month at its longest, so that on any day the next debit of each monthly subscription is among them. */
const expectedDays = 31;
const endedDays = 90;
const dayMs = 86_400_000;

/** The endpoints of subscriptions. Each is declared in the contract and handled by one operation of this module. */
export function subscriptionRoutes(deps: Deps): Route[] {
  const find = async (merchantId: number, id: string): Promise<StoredSubscription> => {
    const subscription = await findSubscription(deps.db, { merchantId, id });
    if (subscription === undefined) throw new Refusal('SUBSCRIPTION_NOT_FOUND');
    return subscription;
  };
  const cycleResponse = async (key: CycleKey) => {
    const subscription = await find(key.merchantId, key.subscriptionId);
    const cycle = await findCycle(deps.db, key);
    const [response] =
      cycle === undefined ? [] : await toCycleResponses(deps, subscription.merchantId, [cycle]);
    if (response === undefined) throw new Refusal('CYCLE_NOT_FOUND');
    return response;
  };
  const keyOf = (
    { accountId }: { readonly accountId: number },
    { id, number }: { readonly id: string; readonly number: number },
  ): CycleKey => ({ merchantId: accountId, subscriptionId: id, number });
  return [
    route(createSubscription, async ({ body, caller, idempotency, requestId }) => {
      const createdBy = caller.authMethod === 'session' ? caller.userId : null;
      const by = { requestId, madeWith: credentialOf(caller), createdBy };
      return toResponse(deps, caller, await create(deps, caller.accountId, body, by, idempotency));
    }),
    route(listSubscriptions, async ({ query, caller }) => {
      const filter = {
        status: query.status,
        externalId: query.external_id,
        customerId: query.customer_id,
        search: query.search,
        searchesNamesOnly: !seesCustomerDocuments(caller),
      };
      const after = query.before === undefined ? undefined : decodeCursor(query.before);
      // One row more than the page holds shows whether another page follows.
      const rows = await listAll(deps.db, caller.accountId, filter, { limit: query.limit + 1, after });
      const page = rows.slice(0, query.limit);
      const last = rows.length > query.limit ? page.at(-1) : undefined;
      return {
        data: await toResponses(deps, caller, page),
        next: last === undefined ? null : encodeCursor(last),
      };
    }),
    route(getSubscription, async ({ params, caller }) =>
      toResponse(deps, caller, await find(caller.accountId, params.id)),
    ),
    route(cancelSubscription, async ({ params, caller }) => {
      await cancelAll(deps, caller.accountId, params.id);
      return toResponse(deps, caller, await find(caller.accountId, params.id));
    }),
    route(listCycles, async ({ params, query, caller }) => {
      const subscription = await find(caller.accountId, params.id);
      return {
        data: await toCycleResponses(
          deps,
          subscription.merchantId,
          await listStored(deps.db, subscription, query),
        ),
      };
    }),
    route(setCycleAmount, async ({ params, body, caller }) => {
      const key = keyOf(caller, params);
      await setAmount(deps, key, body.amount);
      return cycleResponse(key);
    }),
    route(cancelCycle, async ({ params, caller }) => {
      const key = keyOf(caller, params);
      await cancelOne(deps, key);
      return cycleResponse(key);
    }),
    route(chargeCycle, async ({ params, caller }) => {
      const key = keyOf(caller, params);
      await charge(deps, key, caller.authMethod === 'session' ? caller.userId : undefined);
      return cycleResponse(key);
    }),
    route(getSubscriptionSummary, ({ caller }) => readSummary(deps, caller.accountId)),
  ];
}

async function readSummary(
  { db, clock }: Deps,
  merchantId: number,
): Promise<ResponseOf<typeof getSubscriptionSummary>> {
  const now = clock.now();
  const until = daysAfter(calendarDayOf(now), expectedDays);
  const counts = await countSubscriptions(db, merchantId, addMs(now, -endedDays * dayMs));
  const planned = await sumCyclesUntil(db, merchantId, until);
  const later = (await listRhythms(db, merchantId)).map((rhythm) => {
    const times = countUnplanned(rhythm, until);
    return { count: times * rhythm.count, cents: times * rhythm.cents };
  });
  const sumOf = (field: 'count' | 'cents') => later.reduce((sum, shared) => sum + shared[field], 0);
  const countOf = (status: string) =>
    counts.filter((row) => row.status === status).reduce((sum, { count }) => sum + count, 0);
  return {
    waiting: countOf('waiting'),
    active: countOf('active'),
    past_due: countOf('past_due'),
    expected_count: planned.count + sumOf('count'),
    expected: brlFromCents(planned.cents + sumOf('cents')),
    ended: counts.flatMap(({ end_reason: reason, count }) => (reason === null ? [] : [{ reason, count }])),
  };
}

/** How many cycles of a rhythm fall due until a day and are not planned yet. */
function countUnplanned(rhythm: SharedRhythm, until: string): number {
  const last = rhythm.lastDay !== null && rhythm.lastDay < until ? rhythm.lastDay : until;
  let number = rhythm.nextNumber;
  while (dueDayOf(rhythm, number) <= last) number += 1;
  return number - rhythm.nextNumber;
}
