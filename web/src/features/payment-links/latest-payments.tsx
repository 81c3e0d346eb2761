import { centsFromBrl } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../app/paths.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { latestPaymentsQuery, type PaymentOrigin } from './offers-queries.ts';

/**
 * The newest payments of a payment link or counter code, each linked to its transaction; nothing before the
 * first payment.
 */
export function LatestPayments({ origin }: { origin: PaymentOrigin }) {
  const { data } = useQuery(latestPaymentsQuery(origin));
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="mt-5" aria-labelledby="latest-payments">
      <h4 id="latest-payments" className="text-xs font-medium text-muted">
        Últimos pagamentos
      </h4>
      <ul className="mt-1 divide-y divide-base-300">
        {data.map(({ id, amount, paid_at, refunded_amount }) => (
          <li key={id} className="flex min-h-11 items-center justify-between gap-4 md:min-h-9">
            <Link to={paths.transactions} search={{ id }} className="link tabular-nums">
              {formatDateTime(paid_at)}
            </Link>
            <span className="text-right tabular-nums">
              <span className="whitespace-nowrap">{formatMoney(centsFromBrl(amount))}</span>
              {refunded_amount > 0 && (
                <span className="block text-xs text-muted">
                  {formatMoney(centsFromBrl(refunded_amount))} devolvido
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
