import { adminSystemHealth, type SystemHealth } from '@jangada/contract';
import { readClientCertificateExpiry } from '../client-certificate.ts';
import type { ReadReplica } from '../db/read-replica.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { bankReachability, readLiveWarnings, tryWithTimeout } from './live-warnings.ts';
import { readQueues, readReconciliationState } from './queues-store.ts';
import type { HealthSources } from './routes.ts';
import { databaseWarnings } from './write-check.ts';

/**
 * The route for the gateway's health as shown to an operator. `sources` describe only the process that responds.
 */
export function systemHealthRoutes(deps: Deps, sources: HealthSources): Route[] {
  const certificateExpiresAt = readClientCertificateExpiry(deps.config);
  return [route(adminSystemHealth, () => readSystemHealth(deps, sources, certificateExpiresAt))];
}

async function readSystemHealth(
  deps: Deps,
  { backgroundWork, checkWrites, warnings }: HealthSources,
  certificateExpiresAt: Date | undefined,
): Promise<SystemHealth> {
  const { db, clock, config, banks, replica } = deps;
  const [writeState, queues, reconciliation, liveWarnings] = await Promise.all([
    checkWrites(),
    tryWithTimeout(readQueues(db, clock.now())),
    tryWithTimeout(readReconciliationState(db)),
    tryWithTimeout(readLiveWarnings(deps, certificateExpiresAt)),
  ]);
  const isDatabaseOk =
    writeState === 'ok' && queues !== undefined && reconciliation !== undefined && liveWarnings !== undefined;
  return {
    database: isDatabaseOk ? 'ok' : 'unavailable',
    work: backgroundWork.healthy() ? 'ok' : 'unavailable',
    psp: {
      state: bankReachability(banks.house.psp),
      name: config.psp.name,
      certificate_expires_at: certificateExpiresAt?.toISOString() ?? null,
    },
    queues: (queues ?? []).map(({ name, waiting, oldestDueAt }) => ({
      name,
      waiting,
      oldest_due_at: oldestDueAt?.toISOString() ?? null,
    })),
    read_replica: replica === undefined ? null : replicaHealthOf(replica),
    last_reconciliation: {
      received_at: reconciliation?.receivedAt?.toISOString() ?? null,
      sent_until: reconciliation?.sentUntil?.toISOString() ?? null,
    },
    open_items: reconciliation?.openItems ?? 0,
    pending_kyc: reconciliation?.pendingKyc ?? 0,
    own_accounts_waiting: reconciliation?.ownAccountsWaiting ?? 0,
    payouts_stopped_because: reconciliation?.stoppedBecause ?? null,
    warnings: [...warnings.map(({ name }) => name), ...databaseWarnings(writeState), ...(liveWarnings ?? [])],
    version: config.version,
  };
}

function replicaHealthOf(replica: ReadReplica): SystemHealth['read_replica'] {
  const { state, lagMs } = replica.health();
  return { state, lag_seconds: lagMs === undefined ? null : lagMs / 1000 };
}
