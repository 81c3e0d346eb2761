import { type Percentiles, spreadOf, tenths, whole } from '../statistics.ts';
import { hasStableControls, meanOf, type Round } from './judge-round.ts';
import type { LoneTimes } from './lone-payment.ts';
import type { Overload } from './overload.ts';
import type { Summary } from './summarize.ts';
import type { Trickle } from './trickle.ts';

/** Prints a round when it ends. The round is void if there are reasons against it. */
export function printRound(nth: number, round: Round, reasons: readonly string[]): void {
  const verdict = reasons.length === 0 ? 'counts' : `VOID: ${reasons.join('; ')}`;
  console.log(`\nRound ${nth} ${verdict}`);
  for (const figure of round.figures) {
    const { name, perSecond, seconds, acknowledged, backlogMs, controls } = figure;
    const validity = hasStableControls(figure) ? '' : ': does not count';
    console.log(
      `  ${name.padEnd(20)} ${whole(perSecond).padStart(7)}/s  ratio ${ratio(perSecond / meanOf(controls))}` +
        `  (${acknowledged} in ${tenths(seconds)} s, the last ${whole(backlogMs)} ms after the last answer;` +
        ` control ${whole(controls.before)} before, ${whole(controls.after)} after${validity})`,
    );
  }
}

export function printSummaries(summaries: readonly Summary[]): void {
  if (summaries.length === 0) return;
  printTable(
    [
      'figure',
      'per second',
      'ratio to tpcb-like',
      'at least',
      '',
      'times it counts',
      'answer p50 / p99 ms',
      'CPU ms per 1,000: gateway, PostgreSQL, bank, load',
    ],
    summaries.map((summary) => [
      summary.label,
      `${whole(summary.perSecond.median)} (${whole(summary.perSecond.lowest)}–${whole(summary.perSecond.highest)})`,
      `${ratio(summary.ratio.median)} (${ratio(summary.ratio.lowest)}–${ratio(summary.ratio.highest)})`,
      summary.target === undefined ? '–' : ratio(summary.target),
      verdictOf(summary),
      String(summary.counted),
      `${tenths(summary.answerP50Ms?.median ?? 0)} / ${tenths(summary.answerP99Ms?.median ?? 0)}`,
      Object.values(summary.processorMsPerThousand).map(whole).join(', '),
    ]),
  );
  for (const { label, webhooksPerSecond } of summaries)
    if (webhooksPerSecond)
      console.log(`${label}: ${whole(webhooksPerSecond.median)} webhooks/s delivered meanwhile`);
}

function verdictOf({ ratio: { median }, target }: Summary): string {
  if (target === undefined) return '';
  return median >= target ? 'reached' : 'FALLS SHORT';
}

/** Prints the noise of the machine alone, to compare with the spread of a figure's ratios. */
export function printControlNoise(ratios: readonly number[]): void {
  if (ratios.length === 0) return;
  const { median, lowest, highest } = spreadOf(ratios);
  console.log(
    `The control by its own neighbours: ${ratio(median)} (${ratio(lowest)}–${ratio(highest)}, ${ratios.length} slices)`,
  );
}

export function printLone({ payments, answeredMs, creditedMs, lookMs }: LoneTimes): void {
  console.log(
    `\nA lone payment (${payments}, one after another): answered after ${times(answeredMs)}, credited after ` +
      `${times(creditedMs)}; seen by asking PostgreSQL again and again, every ${tenths(lookMs.p50)} ms`,
  );
}

export function printOverload({ crowds, trickleAlone }: Overload): void {
  console.log('\nCallers at once (refused ones come back when told), 50 notifications/s beside the charges;');
  console.log(`these alone: ${outcomeOf(trickleAlone)}.`);
  printTable(
    [
      'what',
      'callers',
      'accepted/s',
      'accepted p50 / p99 ms',
      'answers',
      '503 with Retry-After',
      'notifications beside, p50 / p99 ms',
    ],
    crowds.map((crowd) => [
      crowd.what,
      String(crowd.callers),
      whole(crowd.acceptedPerSecond),
      p50AndP99(crowd.acceptedMs),
      countsOf(crowd.byStatus),
      String(crowd.withRetryAfter),
      crowd.trickle === undefined ? '' : outcomeOf(crowd.trickle),
    ]),
  );
}

function outcomeOf({ byStatus, answeredMs, creditedMs }: Trickle): string {
  return `${countsOf(byStatus)}, answered ${p50AndP99(answeredMs)}, credited ${p50AndP99(creditedMs)}`;
}

const ratio = (value: number) =>
  (Math.round(value * 100) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
const p50AndP99 = (percentiles: Percentiles | undefined) =>
  percentiles ? `${tenths(percentiles.p50)} / ${tenths(percentiles.p99)}` : '–';
const times = ({ p50, p99 }: Percentiles) => `${tenths(p50)} ms (p50), ${tenths(p99)} ms (p99)`;
const countsOf = (byStatus: Readonly<Record<string, number>>) =>
  Object.entries(byStatus)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');

/** Prints a table in Markdown, for use in documents. */
function printTable(titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const separator = line(widths.map((width) => '-'.repeat(width)));
  console.log(['', line(titles), separator, ...rows.map(line)].join('\n'));
}
