import type { getSubscriptionSummary, ResponseOf } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { Facts, FigureCell, Panel, SectionHeader, SkeletonText } from '../../ui/index.ts';
import { endTexts } from './subscription-words.ts';

type Summary = ResponseOf<typeof getSubscriptionSummary>;

/** How many subscriptions there are in each state, and what they should bring; undefined while loading. */
export function SubscriptionFigures({ summary }: { summary: Summary | undefined }) {
  const skeleton = <SkeletonText line="h-6 md:h-7" className="h-5 w-16" />;
  const countOf = (count: number | undefined) => (count === undefined ? skeleton : formatCount(count));
  return (
    <Panel flush className="mb-5" label="Situação">
      <div className="grid divide-base-300 max-md:divide-y md:grid-cols-[1.6fr_1fr_1fr_1fr] md:divide-x">
        <FigureCell
          row
          label="Previsto em 31 dias"
          figure={summary === undefined ? skeleton : formatMoney(centsOf(summary.expected))}
          context={
            summary === undefined ? (
              <SkeletonText line="h-4" className="h-3 w-24" />
            ) : (
              expectedText(summary.expected_count)
            )
          }
        />
        <FigureCell row label="Ativas" figure={countOf(summary?.active)} context="o banco debita sozinho" />
        <FigureCell
          row
          label="Em atraso"
          figure={countOf(summary?.past_due)}
          context="a última não foi paga"
        />
        <FigureCell
          row
          label="Esperando autorização"
          figure={countOf(summary?.waiting)}
          context="o pagador ainda não autorizou"
        />
      </div>
    </Panel>
  );
}

function expectedText(count: number): string {
  if (count === 0) return 'nenhuma cobrança';
  return count === 1 ? 'em 1 cobrança' : `em ${formatCount(count)} cobranças`;
}

/** Why subscriptions ended lately, the most frequent reason first. */
export function EndedReasons({ summary: { ended } }: { summary: Summary }) {
  return (
    <section aria-labelledby="ended" className="mt-10 max-w-136">
      <SectionHeader id="ended" title="Por que terminaram, nos últimos 90 dias" />
      <Facts
        className="mt-2"
        facts={ended
          .toSorted((a, b) => b.count - a.count)
          .map(({ reason, count }) => ({ label: endTexts[reason], value: formatCount(count) }))}
      />
    </section>
  );
}
