import { Gauge, type Registry } from 'prom-client';
import type { ReadReplica } from '../db/read-replica.ts';
import type { Queue, ReconciliationState } from '../gateway/index.ts';
import { readVerifications } from '../gateway/index.ts';
import type { GatewayFigures } from './store.ts';

/** The figures read from the database at the time of a scrape, when Prometheus requests the metrics. */
export type DatabaseFigures = {
  readonly queues: readonly Queue[];
  readonly reconciliation: ReconciliationState;
  readonly figures: GatewayFigures;
  readonly openItems: readonly { kind: string; count: number }[];
  readonly brokenConnectionCount: number;
};

/** The pools of database connections of this process, by name. */
export type ConnectionPools = Readonly<
  Record<string, { totalCount: number; idleCount: number; waitingCount: number }>
>;

/** The values for the gauges; undefined if unknown. */
export type GaugeSources = {
  readonly now: Date;
  /** Undefined if the database did not respond in time. */
  readonly state: DatabaseFigures | undefined;
  readonly isDatabaseUp: boolean;
  readonly pools: ConnectionPools;
  readonly isWorkHealthy: boolean;
  readonly isBankReachable: boolean | undefined;
  readonly certificateEnd: Date | undefined;
  /** Undefined if there is no read replica. */
  readonly replica: ReturnType<ReadReplica['health']> | undefined;
  readonly dataDir: string;
};

/** Registers the gauges and returns a function that clears all of them and sets those whose value is known. */
export function createStateGauges(registry: Registry): (sources: GaugeSources) => Promise<void> {
  const clearGauges: (() => void)[] = [];
  const createGauge = (name: string, help: string, ...labelNames: string[]) => {
    const instrument = new Gauge({ name: `jangada_${name}`, help, labelNames, registers: [registry] });
    // An unknown value is left out of the metrics. A gauge without labels is removed instead of reset, because it would
    // read 0 after a reset.
    clearGauges.push(() => (labelNames.length === 0 ? instrument.remove() : instrument.reset()));
    return (value: number | null | undefined, labels: Record<string, string> = {}) => {
      if (value !== null && value !== undefined) instrument.set(labels, value);
    };
  };
  const setDatabaseUp = createGauge('database_up', '1 while the database answers and takes writes.');
  const setWorkHealthy = createGauge(
    'work_healthy',
    '1 while the background work of this process runs when it should.',
  );
  const setBankReachable = createGauge(
    'bank_reachable',
    '1 when the bank answered this process last, 0 when it did not or refused its credentials.',
  );
  const setCertificateEnd = createGauge(
    'bank_certificate_end_timestamp_seconds',
    'When the client certificate for the bank ends.',
  );
  const setConnections = createGauge(
    'database_connections',
    'Connections of this process, and who waits for one.',
    'pool',
    'state',
  );
  const setReplicaUsed = createGauge(
    'read_replica_used',
    '1 while lists of staff and exports are read at the replica.',
  );
  const setReplicaLag = createGauge(
    'read_replica_lag_seconds',
    'How old the data of the read replica are at most.',
  );
  const setVerifiedAt = createGauge(
    'verified_timestamp_seconds',
    'When ledger:verify or audit:verify last ran to its end.',
    'what',
  );
  const setVerifiedOk = createGauge('verified_ok', '1 when it found nothing.', 'what');
  const setDatabaseGauges = createDatabaseGauges(createGauge);
  return async ({ now, state, pools, ...sources }) => {
    for (const clear of clearGauges) clear();
    setDatabaseUp(sources.isDatabaseUp ? 1 : 0);
    setWorkHealthy(sources.isWorkHealthy ? 1 : 0);
    setBankReachable(sources.isBankReachable === undefined ? undefined : Number(sources.isBankReachable));
    setCertificateEnd(toUnixSeconds(sources.certificateEnd));
    for (const [name, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
      setConnections(totalCount - idleCount, { pool: name, state: 'busy' });
      setConnections(idleCount, { pool: name, state: 'idle' });
      setConnections(waitingCount, { pool: name, state: 'waited-for' });
    }
    if (sources.replica !== undefined) {
      setReplicaUsed(Number(sources.replica.state === 'ok'));
      setReplicaLag(sources.replica.lagMs === undefined ? undefined : sources.replica.lagMs / 1000);
    }
    for (const { subject, at, ok } of await readVerifications(sources.dataDir)) {
      setVerifiedAt(toUnixSeconds(at), { what: subject });
      setVerifiedOk(ok ? 1 : 0, { what: subject });
    }
    if (state !== undefined) setDatabaseGauges(state, now);
  };
}

/** Registers a gauge and returns the function that sets its value. */
type CreateGauge = (
  name: string,
  help: string,
  ...labelNames: string[]
) => (value: number | null | undefined, labels?: Record<string, string>) => void;

function createDatabaseGauges(createGauge: CreateGauge): (state: DatabaseFigures, now: Date) => void {
  const setWaiting = createGauge('queue_waiting', 'What waits, by queue; counting ends at 100000.', 'queue');
  const setLateSeconds = createGauge(
    'queue_late_seconds',
    'For how long the oldest of what is due has been due.',
    'queue',
  );
  const setNoticeAge = createGauge(
    'notice_age_seconds',
    'Age of the oldest notice of the bank that is not worked yet.',
  );
  const setWithdrawals = createGauge(
    'withdrawals',
    'Withdrawals under way, by status; in-doubt are some of processing.',
    'status',
  );
  const setUnknownSeconds = createGauge(
    'withdrawal_unknown_seconds',
    'For how long the oldest unknown outcome has been unknown.',
  );
  const setFailedWebhooks = createGauge(
    'webhooks_failed',
    'Webhooks of the last 90 days that were given up.',
  );
  const setSuspenseCount = createGauge('suspense_pix', 'Pix that nobody claimed.');
  const setSuspenseCents = createGauge('suspense_cents', 'Their sum, in cents.');
  const setOpenItems = createGauge('open_items', 'What waits for the operator, by kind.', 'kind');
  const setPendingKyc = createGauge('kyc_waiting', 'Documents that wait for an administrator.');
  const setBrokenConnections = createGauge(
    'broken_connections',
    'Accounts of merchants’ own at which nothing works.',
  );
  const setPayoutsStopped = createGauge('payouts_stopped', '1 while payouts are stopped.');
  const setReceivedReadAt = createGauge(
    'received_read_timestamp_seconds',
    'When the list of received Pix was read last.',
  );
  const setSentReadUntil = createGauge(
    'sent_read_until_timestamp_seconds',
    'Until when the list of sent Pix was read.',
  );
  const setBalanceReadAt = createGauge(
    'bank_balance_read_timestamp_seconds',
    'When the balance at the bank was asked for last.',
  );
  const setBalanceCents = createGauge('bank_balance_cents', 'What the account at the bank holds, in cents.');
  const setNeededCents = createGauge(
    'bank_balance_needed_cents',
    'What of it belongs to merchants or nobody yet, in cents.',
  );
  const setDaysComparedAt = createGauge(
    'days_compared_timestamp_seconds',
    'When a day was last held against the bank.',
  );
  const setDayDifferences = createGauge('day_differences', 'Differences of the days that were compared.');
  return ({ queues, reconciliation, figures, openItems, brokenConnectionCount }, now) => {
    const age = (since: Date | null) =>
      since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1000;
    for (const queue of queues) {
      setWaiting(queue.waiting, { queue: queue.name });
      setLateSeconds(age(queue.oldestDueAt), { queue: queue.name });
    }
    setNoticeAge(age(figures.oldestNoticeAt));
    setWithdrawals(figures.pendingCount, { status: 'pending' });
    setWithdrawals(figures.processingCount, { status: 'processing' });
    setWithdrawals(figures.inDoubtCount, { status: 'in-doubt' });
    setUnknownSeconds(age(figures.unknownSince));
    setFailedWebhooks(figures.failedWebhookCount);
    setSuspenseCount(figures.suspenseCount);
    setSuspenseCents(figures.suspenseCents ?? 0);
    for (const { kind, count } of openItems) setOpenItems(count, { kind });
    setPendingKyc(reconciliation.pendingKyc);
    setBrokenConnections(brokenConnectionCount);
    setPayoutsStopped(reconciliation.stoppedBecause === null ? 0 : 1);
    setReceivedReadAt(toUnixSeconds(reconciliation.receivedAt));
    setSentReadUntil(toUnixSeconds(reconciliation.sentUntil));
    setBalanceReadAt(toUnixSeconds(figures.balanceReadAt));
    setBalanceCents(figures.balanceCents);
    setNeededCents(figures.neededCents);
    setDaysComparedAt(toUnixSeconds(figures.daysComparedAt));
    setDayDifferences(figures.dayDifferences);
  };
}

function toUnixSeconds(moment: Date | null | undefined): number | undefined {
  return moment === null || moment === undefined ? undefined : moment.getTime() / 1000;
}
