import { centsFromResponse, type WithdrawalSource, withdrawalSources } from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { profileQuery } from '../../api/queries.ts';
import { formatMoney } from '../../format/money.ts';
import { Balance } from '../../panel/balance.tsx';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { SelectField } from '../../ui/index.ts';

/** An account from which money can be withdrawn. */
export type PayingSource = {
  readonly id: string;
  readonly name: string;
  readonly isOwn: boolean;
  readonly availableCents: number;
};

type Sources = { readonly sources: readonly PayingSource[]; readonly notSendableCents: number };

const sourcesQuery = queryOptions({
  queryKey: ['withdrawal-sources'],
  queryFn: async ({ signal }): Promise<Sources> => {
    const answer = await call(withdrawalSources, { signal });
    return {
      sources: answer.sources.map(sourceFrom),
      notSendableCents: centsFromResponse(answer.not_sendable) ?? 0,
    };
  },
});

function sourceFrom({ id, at, name, bank, available }: WithdrawalSource): PayingSource {
  const ownName = name === '' || name === bank ? bank : `${name}, ${bank}`;
  return {
    id,
    name: at === 'operator' ? 'Conta do operador' : ownName,
    isOwn: at === 'own_bank',
    // More may be there than the gateway saw, but nothing that it knows of while it counts less than nothing.
    availableCents: Math.max(0, centsFromResponse(available) ?? 0),
  };
}

/**
 * From where the merchant can withdraw, and the chosen account. Only merchants who are paid into accounts of their own
 * have a choice; for all others, `sources` is empty and the balance is that of the account.
 */
export function useWithdrawalSources() {
  const { has_own_accounts: isDirect, isKnown } = useMerchantBank();
  const { data, isPending, isError } = useQuery({
    ...sourcesQuery,
    enabled: isDirect,
    refetchOnMount: 'always',
  });
  const profile = useQuery(profileQuery).data;
  const [chosenId, setChosenId] = useState<string>();
  const sources = (isDirect && data?.sources) || [];
  const source = sources.find(({ id }) => id === chosenId) ?? sources[0];
  const isAwaited = !isKnown || (isDirect && isPending);
  const balanceCents = isDirect && !isError ? (source?.availableCents ?? 0) : (profile?.balanceCents ?? null);
  return {
    sources,
    source,
    choose: setChosenId,
    notSendableCents: isDirect ? (data?.notSendableCents ?? 0) : 0,
    /** Null while unknown. */
    balanceCents: isAwaited ? null : balanceCents,
    /** Whether it is known that there is no account from which anything can be sent. */
    hasNone: isDirect && data?.sources.length === 0,
  };
}

type SourceFieldProps = Pick<ReturnType<typeof useWithdrawalSources>, 'sources' | 'source' | 'choose'> & {
  onChoice: () => void;
};

/** The choice of the account, where there is more than one. */
export function SourceField({ sources, source, choose, onChoice }: SourceFieldProps) {
  const isHidden = useBalanceHidden();
  if (sources.length < 2 || source === undefined) return null;
  return (
    <SelectField
      label="Sai de"
      name="from"
      value={source.id}
      options={sources.map(({ id, name, availableCents }) => ({
        value: id,
        label: isHidden ? name : `${name} · ${formatMoney(availableCents)}`,
      }))}
      onChange={(event) => {
        choose(event.currentTarget.value);
        onChoice();
      }}
    />
  );
}

/** Names the money at own accounts from which the gateway sends nothing. */
export function NotSendable({ cents }: { cents: number }) {
  if (cents <= 0) return null;
  return (
    <span className="text-muted">
      <Balance cents={cents} /> estão em contas das quais a Jangada não envia Pix: saque-os no aplicativo do
      banco.
    </span>
  );
}
