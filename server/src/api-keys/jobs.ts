import type { Deps } from '../deps.ts';
import { warnOfExpiringKeys } from './warn-expiring.ts';

/** Daily work of keys, at nine in the morning in Brasília, when somebody is there to read the notice. */
export const apiKeyJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'warn-of-expiring-keys', cron: '0 12 * * *', work: warnOfExpiringKeys }];
