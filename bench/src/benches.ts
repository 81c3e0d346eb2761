import type { BenchOutcome, Counts } from './outcome.ts';
import { benchPageWeight, pageWeightInSmall } from './page-weight/bench-page-weight.ts';
import { benchReads, readsInSmall } from './reads/bench-reads.ts';
import { buildInSmall, buildPayments } from './reads/build-payments.ts';
import { benchReceiving, receivingInSmall } from './receiving/bench-receiving.ts';
import { benchRouteChange, routeChangeInSmall } from './route-change/bench-route-change.ts';
import { benchSignIn, signInInSmall } from './sign-in/bench-sign-in.ts';
import { benchUserSearch, userSearchInSmall } from './user-search/bench-user-search.ts';
import { benchWebhooks, webhooksInSmall } from './webhooks/bench-webhooks.ts';

export type Bench = {
  readonly name: string;
  /** Runs only when named: it prepares what others measure. */
  readonly prepares?: true;
  /** @throws when its figures cannot be kept */
  run(args: readonly string[]): Promise<BenchOutcome>;
  /** The whole bench with a thousand rows and one round, keeping nothing. The tests run it, so that no bench breaks unnoticed. */
  readonly small: SmallForm;
};

/** Runs against a running sandbox, or starts its own processes; `folder` is shared by the small forms of a run. */
export type SmallForm =
  | { readonly on: 'a product'; run(origin: string): Promise<Counts> }
  | { readonly on: 'its own'; run(folder: string): Promise<Counts> };

/** All benches, in the order in which they run. */
export const benches: readonly Bench[] = [
  { name: 'receiving', run: benchReceiving, small: { on: 'its own', run: receivingInSmall } },
  { name: 'webhooks', run: benchWebhooks, small: { on: 'its own', run: webhooksInSmall } },
  {
    name: 'build-payments',
    prepares: true,
    run: buildPayments,
    small: { on: 'its own', run: (folder) => buildInSmall(`${folder}/payments`) },
  },
  {
    name: 'reads',
    run: benchReads,
    small: { on: 'its own', run: (folder) => readsInSmall(`${folder}/payments`) },
  },
  {
    name: 'user-search',
    run: benchUserSearch,
    small: { on: 'its own', run: (folder) => userSearchInSmall(`${folder}/users`) },
  },
  { name: 'page-weight', run: benchPageWeight, small: { on: 'a product', run: pageWeightInSmall } },
  { name: 'route-change', run: benchRouteChange, small: { on: 'a product', run: routeChangeInSmall } },
  { name: 'sign-in', run: benchSignIn, small: { on: 'a product', run: signInInSmall } },
];
