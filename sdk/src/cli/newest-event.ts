import type { Jangada } from '../index.ts';

/** @returns the id of the newest event, from which only what is yet to happen is read; undefined: there is none */
export async function newestEvent({ events }: Jangada): Promise<string | undefined> {
  // Asked for what hardly ever happens, the feed says at once where it ends.
  for (let after: string | undefined; ; ) {
    const page = await events.list({ after, type: 'payment.error', limit: 100 });
    after = page.next ?? after;
    if (!page.has_more) return after;
  }
}
