import type { ReservesModel } from '@jangada/contract';
import { useState } from 'react';
import { formatCalendarDay, formatWeekday } from '../../format/date.ts';
import { Balance } from '../../panel/balance.tsx';
import { Button, SectionHeader } from '../../ui/index.ts';

const SHOWN = 5;

/** When what is kept back comes free, by its days. */
export function Releases({ reserves }: { reserves: ReservesModel }) {
  const [all, setAll] = useState(false);
  const { releases } = reserves;
  const shown = all ? releases : releases.slice(0, SHOWN);
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
            {shown.map(({ day, payments, amountCents }) => (
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
      {releases.length > SHOWN && last !== undefined && (
        <Button size="small" className="mt-3" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Ver menos' : `Ver todos os dias, até ${formatCalendarDay(last.day)}`}
        </Button>
      )}
    </section>
  );
}
