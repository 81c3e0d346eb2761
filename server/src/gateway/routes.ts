import { brlFromCents, health, healthLive, publicSettings, type ResponseOf } from '@jangada/contract';
import { readClientCertificateExpiry } from '../client-certificate.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { isMailEnabled } from '../mail/index.ts';
import { vapidOf } from '../notifications/index.ts';
import { Refusal } from '../refusal.ts';
import type { Warning } from '../warning.ts';
import { bankReachability, readLiveWarnings, tryWithTimeout } from './live-warnings.ts';
import { databaseWarnings, type WriteCheck } from './write-check.ts';

export type BackgroundHealth = {
  /** Returns whether all background work is running on schedule. */
  healthy(): boolean;
};

/** The sources for a process's health. `warnings`: problems of the configuration, which last as long as the process. */
export type HealthSources = {
  readonly backgroundWork: BackgroundHealth;
  readonly checkWrites: WriteCheck;
  readonly warnings: readonly Warning[];
};

/** The public routes about the gateway itself. */
export function gatewayRoutes(deps: Deps, { backgroundWork, checkWrites, warnings }: HealthSources): Route[] {
  const { config } = deps;
  const { psp } = deps.banks.house;
  const certificateExpiresAt = readClientCertificateExpiry(config);
  const pushKey = vapidOf(deps)?.publicKey ?? null;
  return [
    route(healthLive, async () => ({ status: 'ok' as const })),
    route(health, async () => {
      const [writeState, liveWarnings] = await Promise.all([
        checkWrites(),
        tryWithTimeout(readLiveWarnings(deps, certificateExpiresAt)),
      ]);
      const database = writeState === 'ok' && liveWarnings !== undefined ? 'ok' : 'unavailable';
      const workState = backgroundWork.healthy() ? 'ok' : 'unavailable';
      const status = database === 'ok' && workState === 'ok' ? 'ok' : 'unavailable';
      const report: ResponseOf<typeof health> = {
        status,
        database,
        work: workState,
        psp: bankReachability(psp),
        version: config.version,
        warnings: [
          ...warnings.map(({ name }) => name),
          ...databaseWarnings(writeState),
          ...(liveWarnings ?? []),
        ],
      };
      if (status === 'unavailable') throw new Refusal('UNAVAILABLE', { details: report });
      return report;
    }),
    route(publicSettings, async () => ({
      sandbox: config.mode === 'sandbox',
      bankUrl: config.bankUrl ?? null,
      adminEmail: config.adminEmail ?? null,
      maxCharge: brlFromCents(config.limits.chargeMaxCents),
      refunds: psp.refunds !== undefined,
      withdrawals: psp.payouts !== undefined,
      mail: isMailEnabled(config),
      mailbox: config.mail.goes === 'to the mailbox',
      pushKey,
    })),
  ];
}
