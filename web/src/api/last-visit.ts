import type { QueryKey, UseQueryResult } from '@tanstack/react-query';
import { accountIdOf } from '../session/account.ts';
import { session } from '../session/session.ts';
import { LAST_VISIT, readStored, writeStored } from '../session/storage.ts';
import { queryClient } from './query.ts';

// The figures of the first screens are kept in the browser, so that the next visit begins with them instead of empty
// places. They are marked as outdated until the current answers are there, and deleted when the session ends.

type LastVisit = {
  readonly accountId: string;
  /** The script that kept the data. Another version of it may read answers into other shapes. */
  readonly script: string;
  /** By query key. */
  readonly answers: Readonly<Record<string, KeptAnswer>>;
};
type KeptAnswer = { readonly data: unknown; readonly loadedAtMs: number };

/** Older figures would mislead more than an empty place does. */
const MAX_AGE_MS = 24 * 3_600_000;
/** Data is stored a while after it arrived, so that nothing is written while a screen is being drawn. */
const SAVE_DELAY_MS = 1000;

const script = import.meta.url;
/** The answers that an earlier visit to this account kept; undefined until they are read. */
let visitBefore: LastVisit | undefined;

function readLastVisit(): LastVisit {
  const accountId = accountIdOf(session.getState()) ?? '';
  const nothing = { accountId, script, answers: {} };
  try {
    const stored: LastVisit | null = JSON.parse(readStored(LAST_VISIT) ?? 'null');
    return stored?.script === script && stored.accountId === accountId ? stored : nothing;
  } catch {
    return nothing;
  }
}

function answersOfLastVisit(): LastVisit['answers'] {
  if (visitBefore === undefined || visitBefore.accountId !== accountIdOf(session.getState()))
    visitBefore = readLastVisit();
  return visitBefore.answers;
}

function isRecent({ loadedAtMs }: KeptAnswer): boolean {
  return Date.now() - loadedAtMs < MAX_AGE_MS;
}

/** The data that a query had on the last visit; undefined if none was kept. */
export function dataOfLastVisit(queryKey: QueryKey): unknown {
  const answer = answersOfLastVisit()[JSON.stringify(queryKey)];
  return answer !== undefined && isRecent(answer) ? answer.data : undefined;
}

/**
 * The options of a query whose data is kept for the next visit, and which shows that of the last visit until its own has
 * arrived. Never for a balance that somebody is about to withdraw.
 */
export function withLastVisit<Query extends { readonly queryKey: QueryKey }>(query: Query): Query {
  const placeholderData = (previous: unknown) => previous ?? dataOfLastVisit(query.queryKey);
  return { ...query, meta: { isKept: true }, placeholderData };
}

/** The time of the oldest data of the last visit that these queries still show; undefined if they show none. */
export function lastVisitShownBy(
  ...queries: readonly Pick<UseQueryResult, 'isPlaceholderData' | 'data'>[]
): Date | undefined {
  const shown = Object.values(answersOfLastVisit()).filter((answer) =>
    queries.some(({ isPlaceholderData, data }) => isPlaceholderData && data === answer.data),
  );
  return shown.length === 0 ? undefined : new Date(Math.min(...shown.map(({ loadedAtMs }) => loadedAtMs)));
}

/** Keeps what the marked queries load for the next visit. Returns a function that ends this. */
export function keepForNextVisit(): () => void {
  // Some answers have arrived before this is called.
  let timer = setTimeout(save, SAVE_DELAY_MS);
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.meta?.['isKept'] !== true)
      return;
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_DELAY_MS);
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

function save(): void {
  const { token, user } = session.getState();
  const accountId = accountIdOf({ user });
  // Another tab may have ended the session.
  if (accountId === undefined || token === null || readStored('token') !== token) return;
  const loaded = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ meta, state }) => meta?.['isKept'] === true && state.data !== undefined })
    .map(({ queryKey, state }): [string, KeptAnswer] => [
      JSON.stringify(queryKey),
      { data: state.data, loadedAtMs: state.dataUpdatedAt },
    ]);
  const earlier = Object.entries(readLastVisit().answers).filter(([, answer]) => isRecent(answer));
  const answers = Object.fromEntries([...earlier, ...loaded]);
  writeStored(LAST_VISIT, JSON.stringify({ accountId, script, answers } satisfies LastVisit));
}
