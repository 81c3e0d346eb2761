import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db/pool.ts';
import type { Files } from './files/index.ts';
import type { Psp } from './psp/index.ts';
import type { Secrets } from './secrets.ts';

/** The dependencies of an operation. A function that takes `Deps` may use the network; one that takes `Tx` may not. */
export type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Config;
  readonly secrets: Secrets;
  readonly psp: Psp;
  readonly files: Files;
};
