import type { DisputeModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { disputesQuery } from '../api/queries.ts';
import { paths } from '../app/paths.ts';
import { formatTimeLeft } from '../format/date.ts';
import { buttonClass, Notice } from '../ui/index.ts';
import { Balance } from './balance.tsx';
import { useNow } from './use-now.ts';

const MINUTE_MS = 60_000;
const PATIENCE_MS = 3000;

/** Every open dispute. */
export const openDisputesQuery = disputesQuery({ status: 'open', pageSize: 100 });

/**
 * Tells of disputes that wait for the merchant's defence, the most urgent first; `notice` is null while there are none.
 * `known` says when it is clear whether it stands, so that nothing below it has to move.
 */
export function useDisputeNotice(): { known: boolean; notice: ReactNode } {
  const { data, isPending } = useQuery(openDisputesQuery);
  const now = useNow((data?.open ?? 0) > 0, MINUTE_MS);
  const waiting = undefended(data?.disputes ?? [], now);
  return { known: useWaited(PATIENCE_MS) || !isPending, notice: noticeOf(waiting, now) };
}

/** Whether so much time has passed: a page of money does not wait for a notice longer than that. */
function useWaited(ms: number): boolean {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return waited;
}

function noticeOf(waiting: readonly DisputeModel[], now: number): ReactNode {
  const [first, ...others] = waiting;
  if (first === undefined) return null;
  const left = formatTimeLeft(first.deadline, now);
  const alone = others.length === 0;
  const blockedCents = waiting.reduce((sum, { blockedCents }) => sum + blockedCents, 0);
  const shortfallCents = waiting.reduce((sum, { shortfallCents }) => sum + shortfallCents, 0);
  return (
    <Notice
      tone="warning"
      className="mb-5"
      title={alone ? 'Uma disputa espera a sua defesa.' : `${waiting.length} disputas esperam a sua defesa.`}
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
      {blockedCents > 0 && (
        <>
          Bloqueado até a decisão: <Balance cents={blockedCents} />.{' '}
        </>
      )}
      {shortfallCents > 0 && (
        <>
          Faltam <Balance cents={shortfallCents} />, que serão cobertos pelos próximos recebimentos.{' '}
        </>
      )}
      {alone ? 'Para responder' : 'Para responder à primeira'} {left}.
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
