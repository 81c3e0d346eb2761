import { enterAccount, type listAccounts, memberRoleTexts, type ResponseOf } from '@jangada/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { accountsQuery } from '../../panel/members/accounts-query.ts';
import { openAccountAnew } from '../../session/account-change.ts';
import { classNames, LoadingRegion, Skeleton, toastError } from '../../ui/index.ts';

type Membership = ResponseOf<typeof listAccounts>['accounts'][number];

/** The accounts of which the person is a member, in the avatar's menu. Choosing one opens it on a new page. */
export function AccountsList() {
  const accounts = useQuery({ ...accountsQuery, refetchOnMount: 'always' });
  const enter = useMutation({
    mutationFn: (account_id: string) => call(enterAccount, { body: { account_id } }),
    onSuccess: () => openAccountAnew(null),
    onError: (error) => {
      toastError(errorText(error, 'Não foi possível trocar de conta. Tente de novo.'));
      void accounts.refetch();
    },
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
    <div role="group" aria-label="Contas" className="mb-1 border-b border-base-300 pb-1">
      {accounts.data?.accounts.map((account) => (
        <Account
          key={account.account_id}
          account={account}
          isBusy={enter.isPending}
          onEnter={() => enter.mutate(account.account_id)}
        />
      ))}
      {accounts.isPending && (
        <LoadingRegion>
          <Skeleton className="mx-3 my-2 h-16" />
        </LoadingRegion>
      )}
      {accounts.isError && accounts.data === undefined && (
        <p className="px-3 py-2 text-muted">Erro ao buscar as suas contas.</p>
      )}
    </div>
  );
}

type AccountProps = { account: Membership; isBusy: boolean; onEnter: () => void };

function Account({ account: { name, role, own, current, frozen }, isBusy, onEnter }: AccountProps) {
  return (
    <button
      type="button"
      role="menuitem"
      aria-current={current || undefined}
      disabled={isBusy || (frozen && !current)}
      className={classNames(
        'flex w-full items-start gap-3 rounded-field px-3 py-1.5 text-left -outline-offset-2',
        frozen && !current ? 'text-muted' : 'hover:bg-hover',
      )}
      onClick={current ? undefined : onEnter}
    >
      <span className="min-w-0 grow">
        <span className="line-clamp-2 font-medium wrap-anywhere">{name}</span>
        <span className="block text-xs text-muted">
          {own ? 'Sua conta' : memberRoleTexts[role].label}
          {frozen && ' · congelada'}
        </span>
      </span>
      {current && (
        <Check className="mt-0.5 size-4 shrink-0 text-primary" strokeWidth={1.75} aria-label="Conta atual" />
      )}
    </button>
  );
}
