import { brlFromCents, health, healthLive, publicSettings, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import type { Warning } from '../warning.ts';
import { readLiveWarnings } from './live-warnings.ts';

export type Work = {
  /** Whether everything in the background runs when it should. */
  healthy(): boolean;
};

/** What the gateway tells of itself to anybody. `warnings`: what stands as long as it runs. */
export function gatewayRoutes(deps: Deps, work: Work, warnings: readonly Warning[]): Route[] {
  const { config, psp } = deps;
  return [
    route(healthLive, async () => ({ status: 'ok' as const })),
    route(health, async () => {
      const live = await inTime(readLiveWarnings(deps));
      const database = live === undefined ? 'unavailable' : 'ok';
      const state = work.healthy() ? 'ok' : 'unavailable';
      const status = database === 'ok' && state === 'ok' ? 'ok' : 'unavailable';
      const reachable = psp.reachable();
      const report: ResponseOf<typeof health> = {
        status,
        database,
        work: state,
        psp: reachable === undefined ? 'unknown' : reachable ? 'ok' : 'unavailable',
        version: config.version,
        warnings: [...warnings.map(({ name }) => name), ...(live ?? [])],
      };
      if (status === 'unavailable') throw new Refusal('UNAVAILABLE', { details: report });
      return report;
    }),
    route(publicSettings, async () => ({
      sandbox: config.mode === 'sandbox',
      bankUrl: config.bankUrl ?? null,
      adminEmail: config.adminEmail ?? null,
      maxCharge: brlFromCents(config.limits.chargeMax),
      refunds: psp.refunds !== undefined,
      withdrawals: psp.payouts !== undefined,
      mail: false,
      mailbox: false,
      pushKey: null,
    })),
  ];
}

const patienceMs = 3000;

/** What was asked for, or undefined when it failed or took too long. */
async function inTime<T>(asked: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), patienceMs);
  const first = await Promise.race([asked.catch(() => undefined), late.promise]);
  clearTimeout(timer);
  return first;
}
