import { Gauge, type Registry } from 'prom-client';
import type { ReadReplica } from '../db/read-replica.ts';
import type { Queue, ReconciliationState } from '../gateway/index.ts';
import { readVerifications } from '../gateway/index.ts';
import type { GatewayFigures } from './store.ts';

/** The figures read from the database at the time of a scrape, when Prometheus requests the metrics. */
export type State = {
  readonly queues: readonly Queue[];
  readonly reconciliation: ReconciliationState;
  readonly figures: GatewayFigures;
  readonly openItems: readonly { kind: string; count: number }[];
};

/** The pools of database connections of this process, by name. */
export type Pools = Readonly<Record<string, { totalCount: number; idleCount: number; waitingCount: number }>>;

/** The values for the gauges; undefined if unknown. */
export type GaugeSources = {
  readonly now: Date;
  /** Undefined if the database did not respond in time. */
  readonly state: State | undefined;
  readonly isDatabaseUp: boolean;
  readonly pools: Pools;
  readonly isWorkHealthy: boolean;
  readonly isBankReachable: boolean | undefined;
  readonly certificateEnd: Date | undefined;
  /** Undefined if there is no read replica. */
  readonly replica: ReturnType<ReadReplica['health']> | undefined;
  readonly dataDir: string;
};

/** Registers the gauges and returns a function that clears all of them and sets those whose value is known. */
export function createStateGauges(registry: Registry): (sources: GaugeSources) => Promise<void> {
  const clears: (() => void)[] = [];
  const gauge = (name: string, help: string, ...labelNames: string[]) => {
    const instrument = new Gauge({ name: `jangada_${name}`, help, labelNames, registers: [registry] });
    // An unknown value is left out of the metrics. A gauge without labels is removed instead of reset, because it would
    // read 0 after a reset.
    clears.push(() => (labelNames.length === 0 ? instrument.remove() : instrument.reset()));
    return (value: number | null | undefined, labels: Record<string, string> = {}) => {
      if (value !== null && value !== undefined) instrument.set(labels, value);
    };
  };
  const databaseUp = gauge('database_up', '1 while the database answers and takes writes.');
  const workHealthy = gauge(
    'work_healthy',
    '1 while the background work of this process runs when it should.',
  );
  const reachable = gauge(
    'bank_reachable',
    '1 when the bank answered this process last, 0 when it did not or refused its credentials.',
  );
  const certificate = gauge(
    'bank_certificate_end_timestamp_seconds',
    'When the client certificate for the bank ends.',
  );
  const pool = gauge(
    'database_connections',
    'Connections of this process, and who waits for one.',
    'pool',
    'state',
  );
  const replicaUp = gauge('read_replica_used', '1 while lists of staff and exports are read at the replica.');
  const replicaLag = gauge('read_replica_lag_seconds', 'How old the data of the read replica are at most.');
  const verifiedAt = gauge(
    'verified_timestamp_seconds',
    'When ledger:verify or audit:verify last ran to its end.',
    'what',
  );
  const verifiedOk = gauge('verified_ok', '1 when it found nothing.', 'what');
  const setState = createDatabaseGauges(gauge);
  return async ({ now, state, pools, ...sources }) => {
    for (const clear of clears) clear();
    databaseUp(sources.isDatabaseUp ? 1 : 0);
    workHealthy(sources.isWorkHealthy ? 1 : 0);
    reachable(sources.isBankReachable === undefined ? undefined : Number(sources.isBankReachable));
    certificate(seconds(sources.certificateEnd));
    for (const [name, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
      pool(totalCount - idleCount, { pool: name, state: 'busy' });
      pool(idleCount, { pool: name, state: 'idle' });
      pool(waitingCount, { pool: name, state: 'waited-for' });
    }
    if (sources.replica !== undefined) {
      replicaUp(Number(sources.replica.state === 'ok'));
      replicaLag(sources.replica.lagMs === undefined ? undefined : sources.replica.lagMs / 1000);
    }
    for (const { what, at, ok } of await readVerifications(sources.dataDir)) {
      verifiedAt(seconds(at), { what });
      verifiedOk(ok ? 1 : 0, { what });
    }
    if (state !== undefined) setState(state, now);
  };
}

type MakeGauge = (
  name: string,
  help: string,
  ...labelNames: string[]
) => (value: number | null | undefined, labels?: Record<string, string>) => void;

function createDatabaseGauges(gauge: MakeGauge): (state: State, now: Date) => void {
  const waiting = gauge('queue_waiting', 'What waits, by queue; counting ends at 100000.', 'queue');
  const late = gauge('queue_late_seconds', 'For how long the oldest of what is due has been due.', 'queue');
  const notice = gauge('notice_age_seconds', 'Age of the oldest notice of the bank that is not worked yet.');
  const withdrawals = gauge(
    'withdrawals',
    'Withdrawals under way, by status; in-doubt are some of processing.',
    'status',
  );
  const unknown = gauge(
    'withdrawal_unknown_seconds',
    'For how long the oldest unknown outcome has been unknown.',
  );
  const webhooks = gauge('webhooks_failed', 'Webhooks of the last 90 days that were given up.');
  const suspense = gauge('suspense_pix', 'Pix that nobody claimed.');
  const suspenseCents = gauge('suspense_cents', 'Their sum, in cents.');
  const items = gauge('open_items', 'What waits for the operator, by kind.', 'kind');
  const kyc = gauge('kyc_waiting', 'Documents that wait for an administrator.');
  const stopped = gauge('payouts_stopped', '1 while payouts are stopped.');
  const received = gauge('received_read_timestamp_seconds', 'When the list of received Pix was read last.');
  const sent = gauge('sent_read_until_timestamp_seconds', 'Until when the list of sent Pix was read.');
  const readAt = gauge(
    'bank_balance_read_timestamp_seconds',
    'When the balance at the bank was asked for last.',
  );
  const balance = gauge('bank_balance_cents', 'What the account at the bank holds, in cents.');
  const needed = gauge(
    'bank_balance_needed_cents',
    'What of it belongs to merchants or nobody yet, in cents.',
  );
  const compared = gauge('days_compared_timestamp_seconds', 'When a day was last held against the bank.');
  const differences = gauge('day_differences', 'Differences of the days that were compared.');
  return ({ queues, reconciliation, figures, openItems }, now) => {
    const age = (since: Date | null) =>
      since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1000;
    for (const queue of queues) {
      waiting(queue.waiting, { queue: queue.name });
      late(age(queue.oldestDueAt), { queue: queue.name });
    }
    notice(age(figures.oldestNoticeAt));
    withdrawals(figures.pendingCount, { status: 'pending' });
    withdrawals(figures.processingCount, { status: 'processing' });
    withdrawals(figures.inDoubtCount, { status: 'in-doubt' });
    unknown(age(figures.unknownSince));
    webhooks(figures.failedWebhookCount);
    suspense(figures.suspenseCount);
    suspenseCents(figures.suspenseCents ?? 0);
    for (const { kind, count } of openItems) items(count, { kind });
    kyc(reconciliation.pendingKyc);
    stopped(reconciliation.stoppedBecause === null ? 0 : 1);
    received(seconds(reconciliation.receivedAt));
    sent(seconds(reconciliation.sentUntil));
    readAt(seconds(figures.balanceReadAt));
    balance(figures.balanceCents);
    needed(figures.neededCents);
    compared(seconds(figures.daysComparedAt));
    differences(figures.dayDifferences);
  };
}

function seconds(moment: Date | null | undefined): number | undefined {
  return moment === null || moment === undefined ? undefined : moment.getTime() / 1000;
}
