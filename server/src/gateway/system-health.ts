import { adminSystemHealth, type SystemHealth } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import type { Warning } from '../warning.ts';
import { clientCertificateEnd } from './client-certificate.ts';
import { bankReachability, readLiveWarnings, withTimeout } from './live-warnings.ts';
import { readQueues, readReconciliationState } from './queues-store.ts';
import type { BackgroundHealth } from './routes.ts';

/** The gateway's health as shown to an operator. `work`: of the process that responds. */
export function systemHealthRoutes(
  deps: Deps,
  work: BackgroundHealth,
  warnings: readonly Warning[],
): Route[] {
  const certificateEnd = clientCertificateEnd(deps.config);
  return [route(adminSystemHealth, () => readSystemHealth(deps, { work, warnings, certificateEnd }))];
}

type Known = {
  readonly work: BackgroundHealth;
  readonly warnings: readonly Warning[];
  readonly certificateEnd: Date | undefined;
};

async function readSystemHealth(
  deps: Deps,
  { work, warnings, certificateEnd }: Known,
): Promise<SystemHealth> {
  const { db, clock, config, psp } = deps;
  const [queues, watched, live] = await Promise.all([
    withTimeout(readQueues(db, clock.now())),
    withTimeout(readReconciliationState(db)),
    withTimeout(readLiveWarnings(deps, certificateEnd)),
  ]);
  const answered = queues !== undefined && watched !== undefined && live !== undefined;
  return {
    database: answered ? 'ok' : 'unavailable',
    work: work.healthy() ? 'ok' : 'unavailable',
    psp: {
      state: bankReachability(psp),
      name: config.psp.name,
      certificate_expires_at: certificateEnd?.toISOString() ?? null,
    },
    queues: (queues ?? []).map(({ name, waiting, oldestDueAt }) => ({
      name,
      waiting,
      oldest_due_at: oldestDueAt?.toISOString() ?? null,
    })),
    last_reconciliation: {
      received_at: watched?.receivedAt?.toISOString() ?? null,
      sent_until: watched?.sentUntil?.toISOString() ?? null,
    },
    open_items: watched?.openItems ?? 0,
    pending_kyc: watched?.pendingKyc ?? 0,
    payouts_stopped_because: watched?.stoppedBecause ?? null,
    warnings: [...warnings.map(({ name }) => name), ...(live ?? [])],
    version: config.version,
  };
}
