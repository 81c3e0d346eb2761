import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db/pool.ts';
import type { ReadReplica } from './db/read-replica.ts';
import type { Files } from './files/index.ts';
import type { Banks } from './psp/index.ts';
import type { Secrets } from './secrets.ts';

/** The dependencies of an operation. A function that takes `Deps` may use the network; one that takes `Tx` may not. */
export type Deps = {
  readonly db: Db;
  /** A replica of the database, if one is configured (`readOnReplica`). */
  readonly replica?: ReadReplica;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Config;
  readonly secrets: Secrets;
  readonly banks: Banks;
  readonly files: Files;
};

/** Recurring work of a module, repeated with pauses by every process that does background work. */
export type ModuleLoop = {
  readonly name: string;
  readonly everyMs: number;
  /** If true, the loop also runs as soon as this process commits an order to the bank. */
  readonly sendsOrders?: true;
  /** Returns how many items it processed. If it processed any, there may be more, so it runs again without a pause. */
  readonly work: (deps: Deps) => Promise<number>;
};

/** Work of a module at set times, in one process only. */
export type ModuleJob = {
  readonly name: string;
  /** The crontab schedule, in UTC. */
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
};
