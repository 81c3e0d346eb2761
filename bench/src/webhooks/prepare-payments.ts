import pMap from 'p-map';
import { readConfig } from '../../../server/src/config.ts';
import { addWebhookEndpoint } from '../../../server/src/webhooks/manage-endpoints.ts';
import { makeEventId } from '../../../server/src/webhooks/write-events.ts';
import { type BenchCharge, makeCharges } from '../receiving/make-charges.ts';
import { type BenchMerchant, makeMerchants } from '../receiving/merchants.ts';
import { prepareNotices } from '../receiving/prepare-round.ts';
import type { TestRig } from '../receiving/test-rig.ts';
import { createRandom } from '../receiving/zipf.ts';
import type { DueEvent } from './judge-calls.ts';
import { behaviourOf } from './receivers-protocol.ts';

/** A group of payments that are notified together: their notifications are prepared in one file. */
export type PaymentGroup = {
  readonly name: string;
  readonly count: number;
  readonly paymentsPerNotification: number;
  /** Whether some endpoints fail or hang while the gateway is notified of these payments. */
  readonly someEndpointsFail: boolean;
};

/** A payment, with the event that it causes and the endpoint to which the event must be delivered. */
export type PreparedPayment = DueEvent & { readonly txid: string };

export type PreparedGroups = {
  /** The file of notifications of each group, by its name. */
  readonly files: ReadonlyMap<string, string>;
  /** The payments of each group, by its name. */
  readonly payments: ReadonlyMap<string, readonly PreparedPayment[]>;
};

/** The seed of the amounts, so that every round has the same work. */
const seed = 20_261_122;
/**
 * The distance between the endpoints of two successive payments. It is large, so that these payments do not belong to
 * merchants that were created one after the other. It has no common divisor with the number of endpoints, so that every
 * endpoint has a turn before any endpoint has a second one.
 */
const stride = 617;

/**
 * Prepares groups of payments before the gateway runs. Makes merchants with one endpoint each, makes charges that take
 * turns among the merchants, pays the charges at the bank, and writes the notifications of each group to a file.
 */
export async function preparePayments(
  rig: TestRig,
  urls: readonly string[],
  groups: readonly PaymentGroup[],
): Promise<PreparedGroups> {
  const merchants = await makeMerchants(rig, urls.length);
  const deps = { ...rig, config: readConfig({}) };
  await pMap(
    [...urls.entries()],
    async ([endpointIndex, url]) => {
      await addWebhookEndpoint(deps, merchantAt(merchants, endpointIndex).id, {
        url,
        description: '',
        events: [],
      });
    },
    { concurrency: 8 },
  );
  const payments = new Map<string, PreparedPayment[]>();
  const paidGroups: { work: PaymentGroup; charges: BenchCharge[] }[] = [];
  for (const group of groups) {
    const endpointIndexes = Array.from({ length: group.count }, (_, nth) => (nth * stride) % urls.length);
    const turns = endpointIndexes.values();
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
      charges.map(({ id, txid }, nth) => preparePayment(group, id, txid, endpointIndexes[nth] ?? 0)),
    );
  }
  return { files: await prepareNotices(rig, paidGroups), payments };
}

function preparePayment(
  { someEndpointsFail }: PaymentGroup,
  id: string,
  txid: string,
  endpointIndex: number,
): PreparedPayment {
  const behaviour = someEndpointsFail ? behaviourOf(endpointIndex) : 'healthy';
  return { txid, event: makeEventId(id, 'paid'), endpoint: endpointIndex, behaviour };
}

function merchantAt(merchants: readonly BenchMerchant[], endpointIndex: number): BenchMerchant {
  const merchant = merchants[endpointIndex];
  if (merchant === undefined) throw new Error(`Endpoint ${endpointIndex} has no merchant.`);
  return merchant;
}
