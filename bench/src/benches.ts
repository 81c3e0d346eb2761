import type { BenchOutcome, Counts } from './bench-result.ts';
import { benchCluster } from './cluster/bench-cluster.ts';
import { benchConnections, runSmallConnections } from './connections/bench-connections.ts';
import { benchPageWeight, runSmallPageWeight } from './page-weight/bench-page-weight.ts';
import { benchReads, runSmallReads } from './reads/bench-reads.ts';
import { buildPayments, runSmallBuild } from './reads/build-payments.ts';
import { benchReceiving, runSmallReceiving } from './receiving/bench-receiving.ts';
import { benchRouteChange, runSmallRouteChange } from './route-change/bench-route-change.ts';
import { benchSignIn, runSmallSignIn } from './sign-in/bench-sign-in.ts';
import { benchUserSearch, runSmallUserSearch } from './user-search/bench-user-search.ts';
import { benchWebhooks, runSmallWebhooks } from './webhooks/bench-webhooks.ts';
import { benchWriteCost, runSmallWriteCost } from './written/bench-written.ts';

export type Bench = {
  readonly name: string;
  /** Set if the bench runs only when it is named: it prepares data for another, or needs a server that few have. */
  readonly isOnlyByName?: true;
  /**
   * Runs the bench and stores its figures.
   * @throws if the figures cannot be stored
   */
  run(args: readonly string[]): Promise<BenchOutcome>;
  /**
   * The whole bench with about a thousand rows and one round, which stores nothing. The tests run the small forms, so
   * that no bench breaks unnoticed. Missing if the bench needs Citus.
   */
  readonly smallForm?: SmallForm;
};

/**
 * A small form either receives the origin of a product that is already running, or starts its own processes. In the
 * second case it receives a temporary folder, which all small forms of a run share.
 */
export type SmallForm =
  | { readonly target: 'running product'; run(origin: string): Promise<Counts> }
  | { readonly target: 'own processes'; run(folder: string): Promise<Counts> };

/** All benches, in the order in which they run. */
export const benches: readonly Bench[] = [
  { name: 'receiving', run: benchReceiving, smallForm: { target: 'own processes', run: runSmallReceiving } },
  { name: 'written', run: benchWriteCost, smallForm: { target: 'own processes', run: runSmallWriteCost } },
  { name: 'cluster', isOnlyByName: true, run: benchCluster },
  {
    name: 'connections',
    run: benchConnections,
    smallForm: { target: 'own processes', run: runSmallConnections },
  },
  { name: 'webhooks', run: benchWebhooks, smallForm: { target: 'own processes', run: runSmallWebhooks } },
  {
    name: 'build-payments',
    isOnlyByName: true,
    run: buildPayments,
    smallForm: { target: 'own processes', run: (folder) => runSmallBuild(`${folder}/payments`) },
  },
  {
    name: 'reads',
    run: benchReads,
    smallForm: { target: 'own processes', run: (folder) => runSmallReads(`${folder}/payments`) },
  },
  {
    name: 'user-search',
    run: benchUserSearch,
    smallForm: { target: 'own processes', run: (folder) => runSmallUserSearch(`${folder}/users`) },
  },
  {
    name: 'page-weight',
    run: benchPageWeight,
    smallForm: { target: 'running product', run: runSmallPageWeight },
  },
  {
    name: 'route-change',
    run: benchRouteChange,
    smallForm: { target: 'running product', run: runSmallRouteChange },
  },
  { name: 'sign-in', run: benchSignIn, smallForm: { target: 'running product', run: runSmallSignIn } },
];
