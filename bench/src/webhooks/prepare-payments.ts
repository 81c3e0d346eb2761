import pMap from 'p-map';
import { readConfig } from '../../../server/src/config.ts';
import { addWebhookEndpoint } from '../../../server/src/webhooks/manage-endpoints.ts';
import { eventIdOf } from '../../../server/src/webhooks/write-events.ts';
import { type BenchCharge, makeCharges } from '../receiving/make-charges.ts';
import { type BenchMerchant, makeMerchants } from '../receiving/merchants.ts';
import { writeNotifications } from '../receiving/prepare-round.ts';
import type { TestRig } from '../receiving/test-rig.ts';
import { createRandom } from '../receiving/zipf.ts';
import type { DueEvent } from './judge-calls.ts';
import { behaviourOf } from './receivers-protocol.ts';

/** A group of payments, whose notifications are prepared in one file. */
export type PlannedPayments = {
  readonly name: string;
  readonly count: number;
  readonly perNotice: number;
  /** Whether the gateway is notified of the payments while some endpoints fail or hang. */
  readonly isWhileFailing: boolean;
};

/** A payment, with the event that it causes and the endpoint to which the event must be delivered. */
export type PreparedPayment = DueEvent & { readonly txid: string };

export type Prepared = {
  /** The file of notifications of each group, by its name. */
  readonly files: ReadonlyMap<string, string>;
  /** The payments of each group, by its name. */
  readonly payments: ReadonlyMap<string, readonly PreparedPayment[]>;
};

/** The seed of the amounts, so that every round has the same work. */
const seed = 20_261_122;
/** Endpoints take turns in steps of this number. It is coprime to their count, so that all are used, but not in order. */
const stride = 617;

/** Makes merchants with one endpoint each, and payments that take turns among the merchants, before the gateway runs. */
export async function preparePayments(
  rig: TestRig,
  urls: readonly string[],
  groups: readonly PlannedPayments[],
): Promise<Prepared> {
  const merchants = await makeMerchants(rig, urls.length);
  const deps = { ...rig, config: readConfig({}) };
  await pMap(
    [...urls.entries()],
    async ([endpoint, url]) => {
      await addWebhookEndpoint(deps, merchantAt(merchants, endpoint).id, {
        url,
        description: '',
        events: [],
      });
    },
    { concurrency: 8 },
  );
  const payments = new Map<string, PreparedPayment[]>();
  const paidGroups: { work: PlannedPayments; charges: BenchCharge[] }[] = [];
  for (const group of groups) {
    const endpoints = Array.from({ length: group.count }, (_, nth) => (nth * stride) % urls.length);
    const turns = endpoints.values();
    const charges = await makeCharges(rig.db, {
      count: group.count,
      nextMerchant: () => merchantAt(merchants, turns.next().value ?? 0),
      callbackUrl: null,
      random: createRandom(seed),
      now: await rig.bank.now(),
    });
    await rig.bank.pay(charges);
    paidGroups.push({ work: group, charges });
    payments.set(
      group.name,
      charges.map(({ id, txid }, nth) => preparedPayment(group, id, txid, endpoints[nth] ?? 0)),
    );
  }
  return { files: await writeNotifications(rig, paidGroups), payments };
}

function preparedPayment(
  { isWhileFailing }: PlannedPayments,
  id: string,
  txid: string,
  endpoint: number,
): PreparedPayment {
  const behaviour = isWhileFailing ? behaviourOf(endpoint) : 'healthy';
  return { txid, event: eventIdOf(id, 'paid'), endpoint, behaviour };
}

function merchantAt(merchants: readonly BenchMerchant[], endpoint: number): BenchMerchant {
  const merchant = merchants[endpoint];
  if (merchant === undefined) throw new Error(`Endpoint ${endpoint} has no merchant.`);
  return merchant;
}
