import { type Controls, meanOf } from '../receiving/judge-round.ts';
import { formatTenths, formatWhole, type Percentiles, spreadOf } from '../statistics.ts';
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
    `\n${formatWhole(perSecond)} deliveries/s (${formatWhole(deliveries)} in ${formatTenths(seconds)} s; goal ${formatWhole(goal)}: ${verdict}); ` +
      `controls ${formatWhole(controls.before)} and ${formatWhole(controls.after)}, ratio ${formatHundredths(perSecond / meanOf(controls))}`,
  );
  console.log(
    `Settled at ${formatWhole(throughput.settledPerSecond)}/s; after that ${formatWhole(afterSettling.deliveries)} deliveries at ${formatWhole(afterSettling.perSecond)}/s.`,
  );
  console.log(
    `Endpoints that fail: ${troubled.failing.first} first calls, ${troubled.failing.retries} retries; ` +
      `that hang: ${troubled.hanging.first} and ${troubled.hanging.retries}.`,
  );
  console.log(`CPU ms per 1,000 deliveries: ${costOf(throughput.processorMsPerThousand)}`);
  console.log(`  after settling: ${costOf(throughput.processorMsPerThousandAfterSettling)}`);
}

export function printDelays(nth: number, perSecond: number, { quiet, troubled }: DelayRound): void {
  console.log(`\nDelays, round ${nth}, ${formatWhole(perSecond)} payments/s, ms (p50 / p99 / highest):`);
  printDelay('all endpoints well', quiet);
  printDelay('some fail and hang', troubled);
}

function printDelay(label: string, { deliveries, fromNotificationMs, fromSettlingMs }: Delays): void {
  console.log(
    `  ${label}: from notification ${percentilesText(fromNotificationMs)}, from settling ${percentilesText(fromSettlingMs)} (${formatWhole(deliveries)})`,
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

const formatHundredths = (value: number) => (Math.round(value * 100) / 100).toString();
const percentilesText = ({ p50, p99, highest }: Percentiles) =>
  `${formatTenths(p50)} / ${formatTenths(p99)} / ${formatTenths(highest)}`;
const costOf = (cost: ProcessorMs) =>
  Object.entries(cost)
    .map(([name, milliseconds]) => `${name} ${formatWhole(milliseconds)}`)
    .join(', ');
