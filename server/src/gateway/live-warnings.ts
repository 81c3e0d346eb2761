import { sql } from 'kysely';
import pTimeout from 'p-timeout';
import { expiresSoon } from '../client-certificate.ts';
import type { Deps } from '../deps.ts';
import type { Psp } from '../psp/index.ts';

/** A bank balance that was read longer ago than this counts as unknown. */
const maxBalanceAgeMs = 3 * 60_000;

/**
 * Reads the names of the current problems that an operator should solve. Warnings about the configuration are not among
 * them: those are found once, when the process starts.
 */
export async function readLiveWarnings(
  { db, clock, banks }: Pick<Deps, 'db' | 'clock' | 'banks'>,
  certificateExpiresAt: Date | undefined,
): Promise<string[]> {
  const readSince = new Date(clock.now().getTime() - maxBalanceAgeMs);
  const { rows } = await sql<{ stopped: boolean; open_items: boolean; balance_known: boolean }>`
    select exists (select from gateway where payouts_stopped_because is not null) as stopped,
           exists (select from open_items where closed_at is null) as open_items,
           exists (select from bank_balance where balance_cents is not null and read_at >= ${readSince}) as balance_known
  `.execute(db);
  const [state] = rows;
  const { psp } = banks.house;
  const hasPayouts = psp.payouts !== undefined;
  const hasBalance = psp.account !== undefined;
  return [
    ...(state?.stopped ? ['payouts-stopped'] : []),
    ...(state?.open_items ? ['open-items'] : []),
    ...(expiresSoon(certificateExpiresAt, clock.now()) ? ['bank-certificate-ends'] : []),
    ...(hasPayouts && !hasBalance ? ['bank-balance-unwatched'] : []),
    ...(hasPayouts && hasBalance && !state?.balance_known ? ['bank-balance-unknown'] : []),
  ];
}

/** Returns whether the bank answered the last request that this process sent to it. */
export function bankReachability(psp: Pick<Psp, 'reachable'>): 'ok' | 'unavailable' | 'unknown' {
  const reachable = psp.reachable();
  if (reachable === undefined) return 'unknown';
  return reachable ? 'ok' : 'unavailable';
}

const timeoutMs = 3000;

/**
 * Resolves to the result, or to undefined after a failure or a timeout, so that health reports can go on without it.
 */
export async function tryWithTimeout<T>(promise: Promise<T>): Promise<T | undefined> {
  return pTimeout(promise, { milliseconds: timeoutMs }).catch(() => undefined);
}
