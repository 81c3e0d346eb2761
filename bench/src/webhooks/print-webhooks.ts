import type { Controls } from '../receiving/judge-round.ts';
import { meanOf } from '../receiving/judge-round.ts';
import { type Percentiles, spreadOf, tenths, whole } from '../statistics.ts';
import type { DelayRound, Delays } from './measure-delays.ts';
import type { ProcessorMs, Throughput } from './measure-throughput.ts';

export function printThroughput(found: Throughput, controls: Controls, goal: number): void {
  const { deliveries, perSecond, seconds, afterSettling, troubled } = found;
  const verdict = perSecond >= goal ? 'reached' : 'FALLS SHORT';
  console.log(
    `\n${whole(perSecond)} deliveries/s (${whole(deliveries)} in ${tenths(seconds)} s; goal ${whole(goal)}: ${verdict}); ` +
      `controls ${whole(controls.before)} and ${whole(controls.after)}, ratio ${hundredths(perSecond / meanOf(controls))}`,
  );
  console.log(
    `Settled at ${whole(found.settledPerSecond)}/s; after that ${whole(afterSettling.deliveries)} deliveries at ${whole(afterSettling.perSecond)}/s.`,
  );
  console.log(
    `Endpoints that fail: ${troubled.failing.first} first calls, ${troubled.failing.retries} retries; ` +
      `that hang: ${troubled.hanging.first} and ${troubled.hanging.retries}.`,
  );
  console.log(`CPU ms per 1,000 deliveries: ${costOf(found.processorMsPerThousand)}`);
  console.log(`  after settling: ${costOf(found.processorMsPerThousandAfterSettling)}`);
}

export function printDelays(nth: number, perSecond: number, { quiet, troubled }: DelayRound): void {
  console.log(`\nDelays, round ${nth}, ${whole(perSecond)} payments/s, ms (p50 / p99 / highest):`);
  printDelay('all endpoints well', quiet);
  printDelay('some fail and hang', troubled);
}

function printDelay(label: string, { deliveries, fromNotificationMs, fromSettlingMs }: Delays): void {
  console.log(
    `  ${label}: from notification ${three(fromNotificationMs)}, from settling ${three(fromSettlingMs)} (${whole(deliveries)})`,
  );
}

/** The medians over the rounds. */
export function medianDelays(rounds: readonly DelayRound[], kind: 'quiet' | 'troubled') {
  const middle = (of: 'fromNotificationMs' | 'fromSettlingMs', which: keyof Percentiles) =>
    spreadOf(rounds.map((round) => round[kind][of][which]));
  const percentiles = (of: 'fromNotificationMs' | 'fromSettlingMs') => ({
    p50: middle(of, 'p50'),
    p99: middle(of, 'p99'),
    highest: middle(of, 'highest'),
  });
  return {
    fromNotificationMs: percentiles('fromNotificationMs'),
    fromSettlingMs: percentiles('fromSettlingMs'),
  };
}

const hundredths = (value: number) => (Math.round(value * 100) / 100).toString();
const three = ({ p50, p99, highest }: Percentiles) => `${tenths(p50)} / ${tenths(p99)} / ${tenths(highest)}`;
const costOf = (cost: ProcessorMs) =>
  Object.entries(cost)
    .map(([name, milliseconds]) => `${name} ${whole(milliseconds)}`)
    .join(', ');
