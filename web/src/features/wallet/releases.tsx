import type { ReservesModel } from '@jangada/contract';
import { useState } from 'react';
import { formatCalendarDay, formatWeekday } from '../../format/date.ts';
import { Balance } from '../../panel/balance.tsx';
import { Button, SectionHeader } from '../../ui/index.ts';

const DAYS_SHOWN = 5;

/**
 * When the merchant's reserve, the share of each payment that is withheld for some days, joins the available balance:
 * one row a day.
 */
export function Releases({ reserves }: { reserves: ReservesModel }) {
  const [showsAll, setShowsAll] = useState(false);
  const { releases } = reserves;
  const shownReleases = showsAll ? releases : releases.slice(0, DAYS_SHOWN);
  const last = releases.at(-1);
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
      {releases.length > DAYS_SHOWN && last !== undefined && (
        <Button size="small" className="mt-3" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Ver menos' : `Ver todos os dias, até ${formatCalendarDay(last.day)}`}
        </Button>
      )}
    </section>
  );
}
