import pMap from 'p-map';
import { readConfig } from '../../../server/src/config.ts';
import { addWebhookEndpoint } from '../../../server/src/webhooks/manage-endpoints.ts';
import { eventIdOf } from '../../../server/src/webhooks/write-events.ts';
import { type BenchCharge, makeCharges } from '../receiving/make-charges.ts';
import { type BenchMerchant, makeMerchants } from '../receiving/merchants.ts';
import { tellPaid } from '../receiving/prepare-round.ts';
import type { Stand } from '../receiving/stand.ts';
import { createRandom } from '../receiving/zipf.ts';
import { behaviourOf } from './behaviour.ts';
import type { ToldEvent } from './judge-calls.ts';

/** Payments notified under one name. */
export type WantedPayments = {
  readonly name: string;
  readonly count: number;
  readonly perNotice: number;
  /** Notified while some endpoints fail or hang. */
  readonly troubled: boolean;
};

export type ToldPayment = ToldEvent & { readonly txid: string };

export type Prepared = {
  /** The file of notifications of each name. */
  readonly files: ReadonlyMap<string, string>;
  readonly told: ReadonlyMap<string, readonly ToldPayment[]>;
};

const seed = 20_261_122;
// Coprime to the number of endpoints, so that all take turns, but not in numerical order.
const stride = 617;

/** Prepares, before the gateway runs, merchants with one endpoint each and payments that take turns among them. */
export async function preparePayments(
  stand: Stand,
  urls: readonly string[],
  wanted: readonly WantedPayments[],
): Promise<Prepared> {
  const merchants = await makeMerchants(stand, urls.length);
  const deps = { ...stand, config: readConfig({}) };
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
  const told = new Map<string, ToldPayment[]>();
  const paid: { work: WantedPayments; charges: BenchCharge[] }[] = [];
  for (const work of wanted) {
    const endpoints = Array.from({ length: work.count }, (_, nth) => (nth * stride) % urls.length);
    const turns = endpoints.values();
    const charges = await makeCharges(stand.db, {
      count: work.count,
      merchantOf: () => merchantAt(merchants, turns.next().value ?? 0),
      callbackUrl: null,
      random: createRandom(seed),
      now: await stand.bank.now(),
    });
    await stand.bank.pay(charges);
    paid.push({ work, charges });
    told.set(
      work.name,
      charges.map(({ id, txid }, nth) => toldPayment(work, id, txid, endpoints[nth] ?? 0)),
    );
  }
  return { files: await tellPaid(stand, paid), told };
}

function toldPayment({ troubled }: WantedPayments, id: string, txid: string, endpoint: number): ToldPayment {
  const behaviour = troubled ? behaviourOf(endpoint) : 'well';
  return { txid, event: eventIdOf(id, 'paid'), endpoint, behaviour };
}

function merchantAt(merchants: readonly BenchMerchant[], endpoint: number): BenchMerchant {
  const merchant = merchants[endpoint];
  if (merchant === undefined) throw new Error(`Endpoint ${endpoint} has no merchant.`);
  return merchant;
}
