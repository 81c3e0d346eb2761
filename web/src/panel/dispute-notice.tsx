import type { DisputeModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { withLastVisit } from '../api/last-visit.ts';
import { disputesQuery } from '../api/queries.ts';
import { paths } from '../app/paths.ts';
import { formatTimeLeft } from '../format/date.ts';
import { Link } from '../navigation/index.ts';
import { useMay } from '../session/account.ts';
import { buttonClass, Notice } from '../ui/index.ts';
import { Balance } from './balance.tsx';
import { useHasTimePassed, useNow } from './use-now.ts';

const MINUTE_MS = 60_000;
/** The page waits at most this long for the notice, and then shows its content even if the notice may still appear. */
const MAX_WAIT_MS = 3000;

/** All open disputes of the merchant, that is, claims of payers through the banks' return mechanism (MED). */
export const openDisputesQuery = disputesQuery({ status: 'open', pageSize: 100 });

/**
 * A notice of the disputes that await the merchant's defence, the most urgent first; `notice` is null when there are no
 * such disputes. `isKnown` becomes true once it is clear whether the notice is shown. Until then the content below
 * stays invisible, so that it does not shift.
 */
export function useDisputeNotice(): { isKnown: boolean; notice: ReactNode } {
  const { data, isPending } = useQuery(withLastVisit(openDisputesQuery));
  const now = useNow((data?.open ?? 0) > 0, MINUTE_MS);
  const mayDefend = useMay('defend-disputes');
  const undefended = undefendedOf(data?.disputes ?? [], now);
  return {
    isKnown: useHasTimePassed(MAX_WAIT_MS) || !isPending,
    notice: noticeOf(undefended, mayDefend, now),
  };
}

function noticeOf(undefended: readonly DisputeModel[], mayDefend: boolean, now: number): ReactNode {
  const [mostUrgent, ...others] = undefended;
  if (mostUrgent === undefined) return null;
  const timeLeft = formatTimeLeft(mostUrgent.deadline, now);
  const isOnlyOne = others.length === 0;
  const blockedCents = undefended.reduce((sum, { blockedCents }) => sum + blockedCents, 0);
  // The part of the disputed amounts that the balance could not cover.
  const shortfallCents = undefended.reduce((sum, { shortfallCents }) => sum + shortfallCents, 0);
  return (
    <Notice
      tone="warning"
      className="mb-5"
      title={
        (isOnlyOne ? 'Uma disputa espera' : `${undefended.length} disputas esperam`) +
        (mayDefend ? ' a sua defesa.' : ' a defesa da conta.')
      }
      action={
        <Link
          to={paths.disputes}
          search={isOnlyOne ? { id: mostUrgent.id } : { status: 'open' }}
          className={buttonClass({ size: 'small' })}
        >
          {isOnlyOne && mayDefend ? 'Defender' : 'Ver disputas'}
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
      {isOnlyOne ? 'Para responder' : 'Para responder à primeira'} {timeLeft}.
    </Notice>
  );
}

/** The open disputes that can still be defended but have no defence yet; the earliest deadline first. */
function undefendedOf(disputes: readonly DisputeModel[], now: number): DisputeModel[] {
  return disputes
    .filter(({ status, defendedAt, deadline }) => {
      return status === 'open' && defendedAt === null && Date.parse(deadline) > now;
    })
    .toSorted((a, b) => Date.parse(a.deadline) - Date.parse(b.deadline));
}
