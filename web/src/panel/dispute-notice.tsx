import type { DisputeModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { disputesQuery } from '../api/queries.ts';
import { paths } from '../app/paths.ts';
import { formatTimeLeft } from '../format/date.ts';
import { formatMoney } from '../format/money.ts';
import { buttonClass, Notice } from '../ui/index.ts';
import { useNow } from './use-now.ts';

const MINUTE_MS = 60_000;

/** Tells of disputes that wait for the merchant's defence, the most urgent first. Nothing while there are none. */
export function DisputeNotice({ className }: { className: string }) {
  const { data } = useQuery(disputesQuery({ status: 'open', pageSize: 100 }));
  const now = useNow((data?.open ?? 0) > 0, MINUTE_MS);
  const [first, ...others] = undefended(data?.disputes ?? [], now);
  if (first === undefined) return null;
  const left = formatTimeLeft(first.deadline, now);
  const alone = others.length === 0;
  const blockedCents = [first, ...others].reduce((sum, { blockedCents }) => sum + blockedCents, 0);
  return (
    <Notice
      tone="warning"
      className={className}
      title={
        alone ? 'Uma disputa espera a sua defesa.' : `${others.length + 1} disputas esperam a sua defesa.`
      }
      action={
        <Link
          to={paths.disputes}
          search={alone ? { id: first.id } : { status: 'open' }}
          className={buttonClass({ size: 'small' })}
        >
          {alone ? 'Defender' : 'Ver disputas'}
        </Link>
      }
    >
      {formatMoney(blockedCents)} {blockedCents === 100 ? 'está bloqueado' : 'estão bloqueados'}
      {alone ? ` e ${left}.` : `. Na primeira, ${left}.`}
    </Notice>
  );
}

/** Open, not answered, and still in time; the one that ends first leads. */
function undefended(disputes: readonly DisputeModel[], now: number): DisputeModel[] {
  return disputes
    .filter(({ status, defendedAt, deadline }) => {
      return status === 'open' && defendedAt === null && Date.parse(deadline) > now;
    })
    .toSorted((one, other) => Date.parse(one.deadline) - Date.parse(other.deadline));
}
