import type { Client } from 'undici';
import { percentilesOf } from '../statistics.ts';
import { get } from './ask-gateway.ts';
import { pathOf, type Read, type Reader } from './reads.ts';

/** Milliseconds from the request to the end of the response. */
export type Times = { readonly p50: number; readonly p99: number };

/** One round of a read, alternating between two merchants on one connection, so that disturbances affect both. */
export async function timeRound(
  client: Client,
  read: Read,
  readers: { readonly big: Reader; readonly small: Reader },
  repetitions: number,
): Promise<{ readonly big: Times; readonly small: Times }> {
  const timed = { big: new Float64Array(repetitions), small: new Float64Array(repetitions) };
  for (let serial = 0; serial < repetitions; serial += 1) {
    for (const size of serial % 2 === 0 ? sizes : sizes.toReversed()) {
      const path = pathOf(read.ask(readers[size], serial));
      const began = performance.now();
      await get(client, readers[size].token, path);
      timed[size][serial] = performance.now() - began;
    }
  }
  return { big: percentilesOf(timed.big), small: percentilesOf(timed.small) };
}

const sizes = ['big', 'small'] as const;
