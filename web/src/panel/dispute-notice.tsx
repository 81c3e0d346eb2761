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
 * A notice of the disputes that await the merchant's defence, most urgent first; `notice` is null when there are none.
 * `known` turns true once it is clear whether the notice shows, so that content below it does not shift.
 */
export function useDisputeNotice(): { known: boolean; notice: ReactNode } {
  const { data, isPending } = useQuery(openDisputesQuery);
  const now = useNow((data?.open ?? 0) > 0, MINUTE_MS);
  const waiting = undefended(data?.disputes ?? [], now);
  return { known: useWaited(PATIENCE_MS) || !isPending, notice: noticeOf(waiting, now) };
}

/** True once this much time has passed: the page does not wait longer than that for the notice. */
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

/** Open disputes without a defence, still in time; the earliest deadline first. */
function undefended(disputes: readonly DisputeModel[], now: number): DisputeModel[] {
  return disputes
    .filter(({ status, defendedAt, deadline }) => {
      return status === 'open' && defendedAt === null && Date.parse(deadline) > now;
    })
    .toSorted((one, other) => Date.parse(one.deadline) - Date.parse(other.deadline));
}
