import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/pool.ts';

/*
 * How processes tell each other that a merchant has webhooks to send: by NOTIFY, after the commit. Not in the
 * transaction itself, because PostgreSQL commits transactions that notify one after the other. If an announcement is
 * lost, the senders' sweep finds the webhooks.
 */

/** The PostgreSQL channel that every webhook sender listens to. */
export const WEBHOOK_WORK_CHANNEL = 'jangada_webhooks';

/** Stands in place of a sender's id in an announcement that is for every sender. */
export const ANY_SENDER = '*';

// Keeps payloads well below 8000 bytes, at which PostgreSQL refuses them.
const maxIdsPerPayload = 400;

/** Tells one sender, or all of them, that these merchants have webhooks to send. */
export async function announceWork(db: Db, merchantIds: readonly number[], sender: string): Promise<void> {
  for (let from = 0; from < merchantIds.length; from += maxIdsPerPayload) {
    const payload = `${sender} ${merchantIds.slice(from, from + maxIdsPerPayload).join()}`;
    await sql`select pg_notify(${WEBHOOK_WORK_CHANNEL}, ${payload})`.execute(db);
  }
}

/** @throws if the payload is malformed */
export function parseWorkAnnouncement(payload: string): { sender: string; merchantIds: number[] } {
  const [sender = '', ids = ''] = payload.split(' ');
  const merchantIds = ids.split(',').map(Number);
  if (!merchantIds.every(Number.isSafeInteger)) throw new Error('This is not an announcement of webhooks.');
  return { sender, merchantIds };
}

/**
 * Announces webhooks from processes that send none themselves. Returns a function that takes the ids of merchants. Ids
 * that arrive while an announcement is under way wait, and are announced together when it is done.
 */
export function createWorkAnnouncer({ db, log }: { readonly db: Db; readonly log: Logger }) {
  const waitingIds = new Set<number>();
  let isAnnouncing = false;

  async function announceWaiting(): Promise<void> {
    if (isAnnouncing) return;
    isAnnouncing = true;
    while (waitingIds.size > 0) {
      const ids = [...waitingIds];
      waitingIds.clear();
      await announceWork(db, ids, ANY_SENDER).catch((error: unknown) =>
        log.warn({ err: error }, 'webhooks to send could not be announced; they are found within seconds'),
      );
    }
    isAnnouncing = false;
  }

  return (merchantIds: Iterable<number>): void => {
    for (const id of merchantIds) waitingIds.add(id);
    void announceWaiting();
  };
}
