import type { Client } from 'undici';
import { percentilesOf, spreadOf } from '../statistics.ts';
import { pathOf, type Read, type Reader, reads } from './reads.ts';
import { fetchText } from './with-gateway.ts';

/** The merchant with many payments, and one with few, whose reads are compared. */
export type Readers = { readonly big: Reader; readonly small: Reader };

/** How often reads are timed. */
export type TimingPlan = {
  readonly rounds: number;
  readonly warmUp: number;
  /** The number of timed calls for each merchant in one round. */
  repetitionsOf(read: Pick<Read, 'bound'>): number;
};

/** Milliseconds from the request to the end of the response. */
type Times = { readonly p50: number; readonly p99: number };

/** The times of one read for both merchants: medians over the rounds. */
export type TimedRead = {
  readonly name: string;
  readonly bound: boolean;
  readonly walks: number;
  readonly repetitions: number;
  readonly big: Times;
  readonly small: Times;
  /** How many times as long the read takes for the big merchant. */
  readonly ratioP50: number;
  readonly ratioP99: number;
  /** The ratio in each round. */
  readonly ratiosP99: readonly number[];
};

/** Times all reads. Each round makes all reads, so that disturbances of the machine affect all reads alike. */
export async function timeReads(client: Client, readers: Readers, plan: TimingPlan): Promise<TimedRead[]> {
  const { warmUp, repetitionsOf } = plan;
  for (const read of reads) await timeRound(client, read, readers, warmUp);
  const roundsByRead = new Map<Read, TimedRound[]>(reads.map((read) => [read, []]));
  for (let round = 0; round < plan.rounds; round += 1)
    for (const read of reads)
      roundsByRead.get(read)?.push(await timeRound(client, read, readers, repetitionsOf(read)));
  return [...roundsByRead].map(([read, rounds]) => {
    const { name, bound, walks } = read;
    const medianOf = (figure: (round: TimedRound) => number) =>
      toHundredths(spreadOf(rounds.map(figure)).median);
    const timesOf = (size: 'big' | 'small') => ({
      p50: medianOf((round) => round[size].p50),
      p99: medianOf((round) => round[size].p99),
    });
    return {
      name,
      bound,
      walks,
      repetitions: repetitionsOf(read),
      big: timesOf('big'),
      small: timesOf('small'),
      ratioP50: medianOf(({ big, small }) => big.p50 / small.p50),
      ratioP99: medianOf(({ big, small }) => big.p99 / small.p99),
      ratiosP99: rounds.map(({ big, small }) => toHundredths(big.p99 / small.p99)),
    };
  });
}

type TimedRound = { readonly big: Times; readonly small: Times };

/** Times one read for both merchants in turns on one connection, so that disturbances affect both alike. */
async function timeRound(
  client: Client,
  read: Read,
  readers: Readers,
  repetitions: number,
): Promise<TimedRound> {
  const times = { big: new Float64Array(repetitions), small: new Float64Array(repetitions) };
  for (let serial = 0; serial < repetitions; serial += 1) {
    for (const size of serial % 2 === 0 ? sizes : sizes.toReversed()) {
      const path = pathOf(read.requestOf(readers[size], serial));
      const startMs = performance.now();
      await fetchText(client, readers[size].token, path);
      times[size][serial] = performance.now() - startMs;
    }
  }
  return { big: percentilesOf(times.big), small: percentilesOf(times.small) };
}

const sizes = ['big', 'small'] as const;

function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
