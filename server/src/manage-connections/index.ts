/*
 * What merchants and administrators do with accounts at banks: enter, check, activate, change, suspend, retire.
 */
import type { ModuleLoop } from '../deps.ts';
import { makeChecks } from './make-checks.ts';

export { awaitChecks, makeChecks, stopChecks } from './make-checks.ts';
export { activateConnection, createConnection, requestCheck } from './manage-connections.ts';
export { connectionRoutes } from './routes.ts';

export const connectionCheckLoops: readonly ModuleLoop[] = [
  { name: 'bank checks', everyMs: 500, work: makeChecks },
];
