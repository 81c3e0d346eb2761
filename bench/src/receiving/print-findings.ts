import { formatTenths, formatWhole, type Percentiles, spreadOf } from '../statistics.ts';
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
      `  ${name.padEnd(20)} ${formatWhole(perSecond).padStart(7)}/s  ratio ${formatRatio(perSecond / meanOf(controls))}` +
        `  (${acknowledged} in ${formatTenths(seconds)} s, the last ${formatWhole(backlogMs)} ms after the last answer;` +
        ` control ${formatWhole(controls.before)} before, ${formatWhole(controls.after)} after${validity})`,
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
      `${formatWhole(summary.perSecond.median)} (${formatWhole(summary.perSecond.lowest)}–${formatWhole(summary.perSecond.highest)})`,
      `${formatRatio(summary.ratio.median)} (${formatRatio(summary.ratio.lowest)}–${formatRatio(summary.ratio.highest)})`,
      summary.target === undefined ? '–' : formatRatio(summary.target),
      verdictOf(summary),
      String(summary.counted),
      `${formatTenths(summary.answerP50Ms?.median ?? 0)} / ${formatTenths(summary.answerP99Ms?.median ?? 0)}`,
      Object.values(summary.processorMsPerThousand).map(formatWhole).join(', '),
    ]),
  );
  for (const { label, webhooksPerSecond } of summaries)
    if (webhooksPerSecond)
      console.log(`${label}: ${formatWhole(webhooksPerSecond.median)} webhooks/s delivered meanwhile`);
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
    `The control by its own neighbours: ${formatRatio(median)} (${formatRatio(lowest)}–${formatRatio(highest)}, ${ratios.length} slices)`,
  );
}

export function printLone({ payments, answeredMs, creditedMs, lookMs }: LoneTimes): void {
  console.log(
    `\nA lone payment (${payments}, one after another): answered after ${formatTimes(answeredMs)}, credited after ` +
      `${formatTimes(creditedMs)}; seen by asking PostgreSQL again and again, every ${formatTenths(lookMs.p50)} ms`,
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
      formatWhole(crowd.acceptedPerSecond),
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

const formatRatio = (value: number) =>
  (Math.round(value * 100) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
const p50AndP99 = (percentiles: Percentiles | undefined) =>
  percentiles ? `${formatTenths(percentiles.p50)} / ${formatTenths(percentiles.p99)}` : '–';
const formatTimes = ({ p50, p99 }: Percentiles) =>
  `${formatTenths(p50)} ms (p50), ${formatTenths(p99)} ms (p99)`;
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
