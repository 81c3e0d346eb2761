import { brlFromCents, health, healthLive, publicSettings, type ResponseOf } from '@jangada/contract';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import type { Warning } from '../warning.ts';

export type Work = {
  /** Whether everything in the background runs when it should. */
  healthy(): boolean;
};

/** What the gateway tells of itself to anybody. */
export function gatewayRoutes(deps: Deps, work: Work, warnings: readonly Warning[]): Route[] {
  const { config, psp } = deps;
  return [
    route(healthLive, async () => ({ status: 'ok' as const })),
    route(health, async () => {
      const database = (await answers(deps)) ? 'ok' : 'unavailable';
      const state = work.healthy() ? 'ok' : 'unavailable';
      const status = database === 'ok' && state === 'ok' ? 'ok' : 'unavailable';
      const reachable = psp.reachable();
      const report: ResponseOf<typeof health> = {
        status,
        database,
        work: state,
        psp: reachable === undefined ? 'unknown' : reachable ? 'ok' : 'unavailable',
        version: config.version,
        warnings: warnings.map(({ name }) => name),
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
    })),
  ];
}

const patienceMs = 3000;

async function answers({ db }: Deps): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), patienceMs);
  const asked = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  const inTime = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  return inTime;
}
