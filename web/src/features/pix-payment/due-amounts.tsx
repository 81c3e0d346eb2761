import { type DueTerms, dueDaysOf, predictDueAmount } from '@jangada/pix';
import { useState } from 'react';
import { dayOf, formatCalendarDay, formatWeekday } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Facts, Panel, TextField } from '../../ui/index.ts';
import { previewRows } from './due-preview.ts';

/** What the payer would be asked for on the days that matter, and on a day of choice. */
export function DueAmounts({ terms }: { terms: DueTerms | undefined }) {
  const today = dayOf(new Date());
  return (
    <Panel well as="aside" label="Quanto se paga">
      <h2 className="font-strong">Quanto se paga</h2>
      {terms === undefined || terms.dueDate < today ? (
        <p className="mt-2 text-muted">
          Com o valor e o vencimento, aqui aparece quanto se paga em cada dia.
        </p>
      ) : (
        <>
          <Facts
            bordered={false}
            className="mt-2"
            facts={previewRows(terms, today).map(({ label, day, cents }) => ({
              label: (
                <>
                  {label}
                  <span className="block text-xs tabular-nums">{formatWeekday(day)}</span>
                </>
              ),
              value: formatMoney(cents),
              strong: day === dueDaysOf(terms).dueDay,
            }))}
          />
          <OnChosenDay terms={terms} today={today} />
          <p className="mt-3 text-xs text-muted">
            É a nossa conta. Quem calcula de fato é o banco, no dia, também com os feriados da cidade de quem
            paga.
          </p>
        </>
      )}
    </Panel>
  );
}

function OnChosenDay({ terms, today }: { terms: DueTerms; today: string }) {
  const [day, setDay] = useState('');
  const { lastDay } = dueDaysOf(terms);
  const amount = day === '' || day < today ? undefined : predictDueAmount(terms, day);
  const parts =
    amount === undefined
      ? []
      : [
          { label: 'Valor original', value: formatMoney(amount.originalCents) },
          ...(
            [
              ['Multa', '+', amount.fineCents],
              ['Juros', '+', amount.interestCents],
              ['Abatimento', '−', amount.rebateCents],
              ['Desconto', '−', amount.discountCents],
            ] as const
          )
            .filter(([, , cents]) => cents > 0)
            .map(([label, sign, cents]) => ({ label, value: `${sign} ${formatMoney(cents)}` })),
          { label: 'Nesse dia se paga', value: formatMoney(amount.finalCents), strong: true },
        ];
  return (
    <div className="mt-3 border-t border-base-300 pt-3">
      <TextField
        label="Em outro dia"
        type="date"
        min={today}
        max={lastDay}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <div role="status">
        {amount !== undefined && <Facts bordered={false} className="mt-1" facts={parts} />}
        {day !== '' && amount === undefined && (
          <p className="mt-2 text-muted">
            {day < today ? 'Este dia já passou.' : `Pode ser paga até ${formatCalendarDay(lastDay)}.`}
          </p>
        )}
      </div>
    </div>
  );
}
