import type { Measured } from '../receiving/measure-figure.ts';
import { formatTenths, formatWhole, type Spread, spreadOf } from '../statistics.ts';
import type { HangingResult, OthersMeasured } from './measure-hanging.ts';
import type { SizeResult } from './measure-size.ts';

/** At least this share of what they get alone, others should get while one bank hangs. */
export const HANGING_GOAL = 0.9;

/** The figures of one number of accounts, summed up over its slices. */
export type SizeSummary = {
  readonly accounts: number;
  readonly one: Spread;
  readonly all: Spread | undefined;
  /** Medians: all accounts to a single one. */
  readonly ratio: number;
};

export function summarizeSize({ accounts, one, all }: SizeResult): SizeSummary {
  const rateOfOne = spreadOf(one.map(({ perSecond }) => perSecond));
  if (all.length === 0) return { accounts, one: rateOfOne, all: undefined, ratio: 1 };
  const rateOfAll = spreadOf(all.map(({ perSecond }) => perSecond));
  return { accounts, one: rateOfOne, all: rateOfAll, ratio: rateOfAll.median / rateOfOne.median };
}

export type HangingSummary = Readonly<
  Record<keyof OthersMeasured, { readonly alone: Spread; readonly beside: Spread; readonly ratio: number }>
>;

export function summarizeHanging({ alone, beside }: HangingResult): HangingSummary {
  const summaryOf = (kind: keyof OthersMeasured) => {
    const ratesOf = (slices: readonly OthersMeasured[]) =>
      spreadOf(slices.map((slice) => slice[kind].perSecond));
    const [rateAlone, rateBeside] = [ratesOf(alone), ratesOf(beside)];
    return { alone: rateAlone, beside: rateBeside, ratio: rateBeside.median / rateAlone.median };
  };
  return { settled: summaryOf('settled'), created: summaryOf('created') };
}

export function printSizes(results: readonly SizeResult[]): void {
  console.log('\nThe gateway by the number of merchants’ own accounts, at rest:');
  console.table(
    Object.fromEntries(
      results.map(({ accounts, rest, usedMib }) => [
        accounts,
        {
          'memory, MiB': formatWhole(rest.residentMib),
          'after each was used, MiB': formatWhole(usedMib),
          'calls to banks a minute': formatTenths(rest.bankCallsPerMinute),
          'transactions a minute': formatWhole(rest.transactionsPerMinute),
        },
      ]),
    ),
  );
  console.log('Payments settled a second, one per notification:');
  console.table(
    Object.fromEntries(
      results.map((result) => {
        const { accounts, one, all, ratio } = summarizeSize(result);
        return [
          accounts,
          {
            'at one account': formatSpread(one),
            'at all accounts': all === undefined ? '–' : formatSpread(all),
            ratio: all === undefined ? '–' : ratio.toFixed(2),
            'CPU ms per 1,000 at one: gateway, PostgreSQL, bank': formatProcessor(result.one),
            'at all': formatProcessor(result.all),
            'last answer to last credit, s: at one': formatBacklog(result.one),
            'of all': formatBacklog(result.all),
          },
        ];
      }),
    ),
  );
}

export function printHanging(result: HangingResult): void {
  const summary = summarizeHanging(result);
  console.log(
    `\n${result.accounts} accounts, alone and while the bank of one more account never answers, a second:`,
  );
  const rowOf = ({ alone, beside, ratio }: HangingSummary[keyof HangingSummary]) => ({
    alone: formatSpread(alone),
    'one bank hangs': formatSpread(beside),
    ratio: ratio.toFixed(2),
    goal: `${HANGING_GOAL}, ${ratio >= HANGING_GOAL ? 'reached' : 'FALLS SHORT'}`,
  });
  console.table({ 'payments settled': rowOf(summary.settled), 'charges created': rowOf(summary.created) });
  const calls = result.beside.map(
    ({ hangs }) =>
      `${formatWhole(hangs.notices)} notices and ${formatWhole(hangs.refusedCharges)} refused charges`,
  );
  console.log(`At the account that hangs meanwhile: ${calls.join('; ')}.`);
}

const formatSpread = ({ median, lowest, highest }: Spread) =>
  `${formatWhole(median)} (${formatWhole(lowest)}–${formatWhole(highest)})`;

function formatProcessor(slices: readonly Measured[]): string {
  if (slices.length === 0) return '–';
  const medianOf = (name: 'gateway' | 'postgres' | 'bank') =>
    formatWhole(spreadOf(slices.map(({ processorMsPerThousand }) => processorMsPerThousand[name])).median);
  return `${medianOf('gateway')}, ${medianOf('postgres')}, ${medianOf('bank')}`;
}

function formatBacklog(slices: readonly Measured[]): string {
  return slices.length === 0
    ? '–'
    : formatTenths(spreadOf(slices.map(({ backlogMs }) => backlogMs / 1000)).median);
}
