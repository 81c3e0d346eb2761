import type { Jangada } from '../index.ts';

/** @returns the id of the newest event, so that reading can start after it; undefined if there is none */
export async function newestEvent({ events }: Jangada): Promise<string | undefined> {
  // Filtered by a very rare type, the feed reaches its end at once.
  for (let after: string | undefined; ; ) {
    const page = await events.list({ after, type: 'payment.error', limit: 100 });
    after = page.next ?? after;
    if (!page.has_more) return after;
  }
}
