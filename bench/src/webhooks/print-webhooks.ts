import { type Controls, meanOf } from '../receiving/judge-round.ts';
import { type Percentiles, spreadOf, tenths, whole } from '../statistics.ts';
import type { DelayRound, Delays } from './measure-delays.ts';
import type { ProcessorMs, Throughput } from './measure-throughput.ts';

/**
 * Prints the throughput beside the control, which is pgbench on the same PostgreSQL before and after the
 * measurement.
 */
export function printThroughput(throughput: Throughput, controls: Controls, goal: number): void {
  const { deliveries, perSecond, seconds, afterSettling, troubled } = throughput;
  const verdict = perSecond >= goal ? 'reached' : 'FALLS SHORT';
  console.log(
    `\n${whole(perSecond)} deliveries/s (${whole(deliveries)} in ${tenths(seconds)} s; goal ${whole(goal)}: ${verdict}); ` +
      `controls ${whole(controls.before)} and ${whole(controls.after)}, ratio ${hundredths(perSecond / meanOf(controls))}`,
  );
  console.log(
    `Settled at ${whole(throughput.settledPerSecond)}/s; after that ${whole(afterSettling.deliveries)} deliveries at ${whole(afterSettling.perSecond)}/s.`,
  );
  console.log(
    `Endpoints that fail: ${troubled.failing.first} first calls, ${troubled.failing.retries} retries; ` +
      `that hang: ${troubled.hanging.first} and ${troubled.hanging.retries}.`,
  );
  console.log(`CPU ms per 1,000 deliveries: ${costOf(throughput.processorMsPerThousand)}`);
  console.log(`  after settling: ${costOf(throughput.processorMsPerThousandAfterSettling)}`);
}

export function printDelays(nth: number, perSecond: number, { quiet, troubled }: DelayRound): void {
  console.log(`\nDelays, round ${nth}, ${whole(perSecond)} payments/s, ms (p50 / p99 / highest):`);
  printDelay('all endpoints well', quiet);
  printDelay('some fail and hang', troubled);
}

function printDelay(label: string, { deliveries, fromNotificationMs, fromSettlingMs }: Delays): void {
  console.log(
    `  ${label}: from notification ${percentilesText(fromNotificationMs)}, from settling ${percentilesText(fromSettlingMs)} (${whole(deliveries)})`,
  );
}

/** Returns the median of each percentile over the rounds, with the lowest and the highest value. */
export function medianDelays(rounds: readonly DelayRound[], kind: 'quiet' | 'troubled') {
  type Delay = 'fromNotificationMs' | 'fromSettlingMs';
  const median = (delay: Delay, percentile: keyof Percentiles) =>
    spreadOf(rounds.map((round) => round[kind][delay][percentile]));
  const percentiles = (delay: Delay) => ({
    p50: median(delay, 'p50'),
    p99: median(delay, 'p99'),
    highest: median(delay, 'highest'),
  });
  return {
    fromNotificationMs: percentiles('fromNotificationMs'),
    fromSettlingMs: percentiles('fromSettlingMs'),
  };
}

const hundredths = (value: number) => (Math.round(value * 100) / 100).toString();
const percentilesText = ({ p50, p99, highest }: Percentiles) =>
  `${tenths(p50)} / ${tenths(p99)} / ${tenths(highest)}`;
const costOf = (cost: ProcessorMs) =>
  Object.entries(cost)
    .map(([name, milliseconds]) => `${name} ${whole(milliseconds)}`)
    .join(', ');
