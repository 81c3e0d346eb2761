import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveState } from '../../api/live-state.ts';
import { outFeesQuery, POLL_MS, walletQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Balance } from '../../panel/balance.tsx';
import { Button, buttonClass, Notice } from '../../ui/index.ts';

/** Reasons that block every withdrawal: the operator's switch, or a shortfall from disputes. */
export type WithdrawalBlocker = { by: 'operator' } | { by: 'disputes'; owedCents: number };

/** Undefined while nothing is known to be in the way. */
export function useWithdrawalBlocker(enabled: boolean): WithdrawalBlocker | undefined {
  // The cached state may be stale.
  const anew = { enabled, refetchOnMount: 'always' } as const;
  const live = useLiveState();
  const paused =
    useQuery({
      ...outFeesQuery,
      ...anew,
      // The live channel does not report the operator's actions.
      refetchInterval: ({ state }) => (state.data?.paused ? POLL_MS : false),
    }).data?.paused ?? false;
  const owedCents =
    useQuery({
      ...walletQuery,
      ...anew,
      refetchInterval: ({ state }) => (state.data?.owedCents && live !== 'open' ? POLL_MS : false),
    }).data?.owedCents ?? 0;
  if (!enabled) return undefined;
  if (paused) return { by: 'operator' };
  return owedCents > 0 ? { by: 'disputes', owedCents } : undefined;
}

export function WithdrawalBlockerNotice({ halt }: { halt: WithdrawalBlocker }) {
  const outFees = useQuery(outFeesQuery);
  const [asking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    await outFees.refetch();
    setAsking(false);
  };
  if (halt.by === 'operator')
    return (
      <Notice
        tone="warning"
        action={
          <Button size="small" sending={asking} sendingWord="Verificando" onClick={ask}>
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
      Há <Balance cents={halt.owedCents} /> de disputas ainda descobertos. Os próximos recebimentos cobrem
      esse valor; até lá não há saques nem estornos.
    </Notice>
  );
}
