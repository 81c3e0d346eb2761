import type { ReservesModel } from '@jangada/contract';
import { useState } from 'react';
import { formatCalendarDay, formatWeekday } from '../../format/date.ts';
import { Balance } from '../../panel/balance.tsx';
import { Button, SectionHeader } from '../../ui/index.ts';

/** How many days are shown until the user expands the table. */
const COLLAPSED_DAYS = 5;

/**
 * The days on which the merchant's reserve, the share of each payment that is withheld for some days, joins the
 * available balance: one row a day.
 */
export function Releases({ reserves }: { reserves: ReservesModel }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const { releases } = reserves;
  const shownReleases = isExpanded ? releases : releases.slice(0, COLLAPSED_DAYS);
  const lastRelease = releases.at(-1);
  return (
    <section aria-labelledby="releases">
      <SectionHeader id="releases" title="Reserva a liberar" />
      <div className="overflow-x-auto">
        <table className="table" aria-labelledby="releases">
          <thead>
            <tr>
              <th scope="col">Dia</th>
              <th scope="col" className="text-right">
                Pagamentos
              </th>
              <th scope="col" className="text-right">
                Valor
              </th>
            </tr>
          </thead>
          <tbody>
            {shownReleases.map(({ day, payments, amountCents }) => (
              <tr key={day}>
                <th scope="row" className="font-normal whitespace-nowrap tabular-nums">
                  {formatWeekday(day)}
                </th>
                <td className="text-right text-muted tabular-nums">{payments}</td>
                <td className="text-right font-medium whitespace-nowrap tabular-nums">
                  <Balance cents={amountCents} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {releases.length > COLLAPSED_DAYS && lastRelease !== undefined && (
        <Button
          size="small"
          className="mt-3"
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? 'Ver menos' : `Ver todos os dias, até ${formatCalendarDay(lastRelease.day)}`}
        </Button>
      )}
    </section>
  );
}
