import { brlFromCents, health, healthLive, publicSettings, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { isMailOn } from '../mail/index.ts';
import { vapidOf } from '../notifications/index.ts';
import { Refusal } from '../refusal.ts';
import type { Warning } from '../warning.ts';
import { clientCertificateEnd } from './client-certificate.ts';
import { bankReachability, readLiveWarnings, withTimeout } from './live-warnings.ts';

export type BackgroundHealth = {
  /** Returns whether all background work is running on schedule. */
  healthy(): boolean;
};

/**
 * The public routes about the gateway itself. `warnings` are those about the configuration, so they last as long as the
 * process.
 */
export function gatewayRoutes(deps: Deps, work: BackgroundHealth, warnings: readonly Warning[]): Route[] {
  const { config, psp } = deps;
  const certificateEnd = clientCertificateEnd(config);
  const pushKey = vapidOf(deps)?.publicKey ?? null;
  return [
    route(healthLive, async () => ({ status: 'ok' as const })),
    route(health, async () => {
      const liveWarnings = await withTimeout(readLiveWarnings(deps, certificateEnd));
      const database = liveWarnings === undefined ? 'unavailable' : 'ok';
      const workState = work.healthy() ? 'ok' : 'unavailable';
      const status = database === 'ok' && workState === 'ok' ? 'ok' : 'unavailable';
      const report: ResponseOf<typeof health> = {
        status,
        database,
        work: workState,
        psp: bankReachability(psp),
        version: config.version,
        warnings: [...warnings.map(({ name }) => name), ...(liveWarnings ?? [])],
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
      mail: isMailOn(config),
      mailbox: config.mail.goes === 'to the mailbox',
      pushKey,
    })),
  ];
}
