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

/** In place of one sender's id: the announcement is for every sender. */
export const ANY_SENDER = '*';

// PostgreSQL refuses payloads of 8000 bytes or more.
const maxIdsPerPayload = 400;

/** Tells one sender, or all of them, that these merchants have webhooks to send. */
export async function announceWork(db: Db, merchantIds: readonly number[], sender: string): Promise<void> {
  for (let from = 0; from < merchantIds.length; from += maxIdsPerPayload) {
    const payload = `${sender} ${merchantIds.slice(from, from + maxIdsPerPayload).join()}`;
    await sql`select pg_notify(${WEBHOOK_WORK_CHANNEL}, ${payload})`.execute(db);
  }
}

export function readWorkAnnouncement(payload: string): { sender: string; merchantIds: number[] } {
  const [sender = '', ids = ''] = payload.split(' ');
  const merchantIds = ids.split(',').map(Number);
  if (!merchantIds.every(Number.isSafeInteger)) throw new Error('This is not an announcement of webhooks.');
  return { sender, merchantIds };
}

/**
 * For processes without a sender. Returns a function that collects merchants, and announces them together as soon as
 * the previous announcement is done.
 */
export function createWorkAnnouncer({ db, log }: { readonly db: Db; readonly log: Logger }) {
  const waiting = new Set<number>();
  let isAnnouncing = false;

  async function announceWaiting(): Promise<void> {
    if (isAnnouncing) return;
    isAnnouncing = true;
    while (waiting.size > 0) {
      const ids = [...waiting];
      waiting.clear();
      await announceWork(db, ids, ANY_SENDER).catch((error: unknown) =>
        log.warn({ err: error }, 'webhooks to send could not be announced; they are found within seconds'),
      );
    }
    isAnnouncing = false;
  }

  return (merchantIds: Iterable<number>): void => {
    for (const id of merchantIds) waiting.add(id);
    void announceWaiting();
  };
}
