import { sql } from 'kysely';
import pTimeout from 'p-timeout';
import type { Deps } from '../deps.ts';
import type { Psp } from '../psp/index.ts';
import { endsSoon } from './client-certificate.ts';

/** An older reading of the bank balance counts as unknown. */
const balanceAgeMs = 3 * 60_000;

/** Names of current problems for the operator; warnings that last as long as the process are reported separately. */
export async function readLiveWarnings(
  { db, clock, psp }: Pick<Deps, 'db' | 'clock' | 'psp'>,
  certificateEnd: Date | undefined,
): Promise<string[]> {
  const oldest = new Date(clock.now().getTime() - balanceAgeMs);
  const { rows } = await sql<{ stopped: boolean; open_items: boolean; balance_known: boolean }>`
    select exists (select from gateway where payouts_stopped_because is not null) as stopped,
           exists (select from open_items where closed_at is null) as open_items,
           exists (select from bank_balance where balance_cents is not null and read_at >= ${oldest}) as balance_known
  `.execute(db);
  const [now] = rows;
  const pays = psp.payouts !== undefined;
  const tells = psp.account !== undefined;
  return [
    ...(now?.stopped ? ['payouts-stopped'] : []),
    ...(now?.open_items ? ['open-items'] : []),
    ...(endsSoon(certificateEnd, clock.now()) ? ['bank-certificate-ends'] : []),
    ...(pays && !tells ? ['bank-balance-unwatched'] : []),
    ...(pays && tells && !now?.balance_known ? ['bank-balance-unknown'] : []),
  ];
}

/** Returns whether the bank answered the last request sent to it. */
export function bankReachability(psp: Pick<Psp, 'reachable'>): 'ok' | 'unavailable' | 'unknown' {
  const reachable = psp.reachable();
  if (reachable === undefined) return 'unknown';
  return reachable ? 'ok' : 'unavailable';
}

const patienceMs = 3000;

/**
 * Resolves to the result, or to undefined if it failed or took too long, so that health can also report what does not
 * respond.
 */
export async function withTimeout<T>(asked: Promise<T>): Promise<T | undefined> {
  return pTimeout(asked, { milliseconds: patienceMs }).catch(() => undefined);
}
