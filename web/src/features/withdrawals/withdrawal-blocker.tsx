import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLiveState } from '../../api/live-state.ts';
import { POLL_MS, walletQuery } from '../../api/queries.ts';
import { outFeesQuery } from '../../api/withdrawal-queries.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { Balance } from '../../panel/balance.tsx';
import { Button, buttonClass, Notice } from '../../ui/index.ts';

/**
 * A reason that blocks every withdrawal: the operator has paused withdrawals, or the merchant owes money from disputes
 * because the disputed amount could not be blocked in full.
 */
export type WithdrawalBlocker = { by: 'operator' } | { by: 'disputes'; owedCents: number };

/** The reason that blocks withdrawals now; undefined while none is known. */
export function useWithdrawalBlocker(enabled: boolean): WithdrawalBlocker | undefined {
  // Cached data may be stale, so both queries are loaded again when the screen opens.
  const freshOptions = { enabled, refetchOnMount: 'always' } as const;
  const liveState = useLiveState();
  const isPaused =
    useQuery({
      ...outFeesQuery,
      ...freshOptions,
      // Polled even while the live channel is open: the channel does not report the operator's actions.
      refetchInterval: ({ state }) => (state.data?.paused ? POLL_MS : false),
    }).data?.paused ?? false;
  const owedCents =
    useQuery({
      ...walletQuery,
      ...freshOptions,
      refetchInterval: ({ state }) => (state.data?.owedCents && liveState !== 'open' ? POLL_MS : false),
    }).data?.owedCents ?? 0;
  if (!enabled) return undefined;
  if (isPaused) return { by: 'operator' };
  return owedCents > 0 ? { by: 'disputes', owedCents } : undefined;
}

/** Says why no withdrawal is possible, and offers to check again or to see the disputes. */
export function WithdrawalBlockerNotice({ blocker }: { blocker: WithdrawalBlocker }) {
  const outFees = useQuery(outFeesQuery);
  const [isChecking, setIsChecking] = useState(false);
  const check = async () => {
    setIsChecking(true);
    await outFees.refetch();
    setIsChecking(false);
  };
  if (blocker.by === 'operator')
    return (
      <Notice
        tone="warning"
        action={
          <Button size="small" isSending={isChecking} sendingLabel="Verificando" onClick={check}>
            Verificar
          </Button>
        }
      >
        Os saques estão temporariamente suspensos pelo operador. Seu saldo está seguro.
      </Notice>
    );
  return (
    <Notice
      tone="warning"
      action={
        <Link to={paths.disputes} className={buttonClass({ size: 'small' })}>
          Ver disputas
        </Link>
      }
    >
      Há <Balance cents={blocker.owedCents} /> de disputas ainda descobertos. Os próximos recebimentos cobrem
      esse valor; até lá não há saques nem estornos.
    </Notice>
  );
}
