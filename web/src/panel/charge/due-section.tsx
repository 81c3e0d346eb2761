import { type Due, readBilledTo, readDue } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { type Fact, Facts } from '../../ui/index.ts';
import { partFacts, termFacts } from './due-words.ts';

type DueSectionProps = {
  charge: {
    readonly status: string;
    readonly amountCents: number;
    readonly due?: unknown;
    readonly billedTo?: unknown;
  };
};

/**
 * Whom a charge is for, when it falls due, its terms, and what is owed today or was paid, with how that is made up.
 * Nothing for a charge without any of it.
 */
export function DueSection({ charge }: DueSectionProps) {
  const due = readDue(charge.due);
  const billedTo = readBilledTo(charge.billedTo);
  if (due === undefined && billedTo === undefined) return null;
  return (
    <section aria-labelledby="due" className="mb-4">
      <h3 id="due" className="text-xs font-medium text-muted">
        {due === undefined ? 'Cobrança' : 'Cobrança com vencimento'}
      </h3>
      <Facts
        className="mt-1"
        facts={[
          ...(billedTo === undefined
            ? []
            : [
                {
                  label: 'Cobrada de',
                  value: (
                    <span>
                      <bdi className="wrap-anywhere">{billedTo.name}</bdi>
                      <span className="block text-xs whitespace-nowrap text-muted">{billedTo.document}</span>
                    </span>
                  ),
                },
              ]),
          ...(due === undefined ? [] : dueFacts(due, charge)),
        ]}
      />
      {due?.amount_today != null && (
        <p className="mt-2 text-xs text-muted">
          O valor de hoje é a nossa conta. Quem calcula o que se paga é o banco, no dia do pagamento.
        </p>
      )}
    </section>
  );
}

function dueFacts(due: Due, { status, amountCents }: DueSectionProps['charge']): Fact[] {
  const { parts, amount_today: today } = due;
  const isChanged = parts !== null && partFacts(parts).length > 1;
  return [
    { label: 'Vencimento', value: formatCalendarDay(due.due_date) },
    ...(status === 'pending'
      ? [{ label: 'Pode ser paga até', value: formatCalendarDay(due.valid_until) }]
      : []),
    ...termFacts(due),
    ...(isChanged ? partFacts(parts).map(asPart) : []),
    ...(today === null ? [] : [{ label: 'Hoje se paga', value: formatMoney(centsOf(today)), strong: true }]),
    ...(today === null && parts !== null
      ? [{ label: 'Foi pago', value: formatMoney(amountCents), strong: true }]
      : []),
  ];
}

/** Sets the parts of an amount apart from the terms of the same name. */
function asPart({ label, value }: Fact): Fact {
  return { label: <span className="pl-3">{label}</span>, value };
}
