import type { Subscription } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { asTitle, periodTexts, repetitionText } from '../../format/subscription-words.ts';
import { type Column, StatusBadge, Table, useMediaQuery } from '../../ui/index.ts';
import { subscriptionBadges } from './subscription-words.ts';

const columns: readonly Column<Subscription>[] = [
  {
    key: 'payer',
    head: 'Quem paga',
    cell: ({ payer, description }) => (
      <span className="block min-w-40 py-2 whitespace-normal">
        <span className="block font-medium wrap-anywhere">{payer.name}</span>
        <span className="block text-xs text-muted wrap-anywhere">{description}</span>
      </span>
    ),
    width: 'w-[32%]',
    skeleton: 'w-44',
  },
  {
    key: 'amount',
    head: 'Valor',
    cell: (subscription) => (
      <span className="block py-2">
        {amountText(subscription)}
        <span className="block text-xs font-normal text-muted">{periodTexts[subscription.period]}</span>
      </span>
    ),
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'when',
    head: 'Quando',
    cell: ({ period, first_day }) => asTitle(repetitionText(period, first_day)),
    tone: 'muted',
    skeleton: 'w-24',
  },
  {
    key: 'state',
    head: 'Estado',
    cell: (subscription) => <SubscriptionBadge subscription={subscription} />,
    skeleton: 'h-5.5 w-32',
  },
  { key: 'next', head: 'Próximo débito', cell: nextDebitText, align: 'end', tone: 'muted' },
];

/** The columns for windows narrower than 80rem: how often is said under the amount. */
const narrowColumns = columns.filter(({ key }) => key !== 'when');

export function SubscriptionBadge({ subscription: { status } }: { subscription: Subscription }) {
  const { glyph, label } = subscriptionBadges[status];
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

/** The amount of each cycle. */
export function amountText({ amount }: Subscription): string {
  return amount === null ? 'Variável' : formatMoney(centsOf(amount));
}

/** The day of the next debit. */
function nextDebitText({ next_debit_day: day }: Subscription): string {
  return day === null ? '—' : formatCalendarDay(day);
}

type SubscriptionsTableProps = {
  /** Undefined while loading. */
  subscriptions: readonly Subscription[] | undefined;
  onOpen: (subscription: Subscription) => void;
};

/** The merchant's subscriptions. */
export function SubscriptionsTable({ subscriptions, onOpen }: SubscriptionsTableProps) {
  const isWide = useMediaQuery('(min-width: 80rem)');
  return (
    <Table
      label="Assinaturas"
      columns={isWide ? columns : narrowColumns}
      rows={subscriptions}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      openLabel="Detalhes"
      narrowRowContent={(subscription) => ({
        start: <span className="font-medium wrap-anywhere">{subscription.payer.name}</span>,
        startDetail: (
          <span className="grid justify-items-start gap-1">
            <SubscriptionBadge subscription={subscription} />
            <span>{subscription.description}</span>
          </span>
        ),
        end: amountText(subscription),
        endDetail:
          subscription.next_debit_day === null
            ? periodTexts[subscription.period]
            : `débito em ${nextDebitText(subscription)}`,
      })}
    />
  );
}
