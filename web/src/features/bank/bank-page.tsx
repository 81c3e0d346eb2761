import { CONNECTION_LIMITS, errors } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { NotApproved } from '../../panel/not-approved.tsx';
import { urlIdFrom } from '../../panel/url-params.ts';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, buttonClass, EmptyState, Notice, PageHeader } from '../../ui/index.ts';
import { connectionsQuery } from './bank-queries.ts';
import { bankSearchFrom } from './bank-search.ts';
import { ConnectionPage } from './connection-page.tsx';
import { ConnectionsTable } from './connections-table.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { OrderDialog } from './order-dialog.tsx';

/** The merchant's own accounts at banks, or the page of the account whose `id` is in the URL. */
export function BankPage() {
  const { id } = useSearch(bankSearchFrom);
  return id === undefined ? <AccountList /> : <ConnectionPage key={id} id={String(id)} />;
}

const SENTENCE = 'O dinheiro das suas vendas direto na conta da sua empresa.';

function AccountList() {
  const navigate = useNavigate();
  const isApproved = useSession(isAccountApproved);
  const mayManage = useMay('manage-account');
  // The menu keeps this query, so it would not be loaded anew when this screen opens.
  const list = useQuery({ ...connectionsQuery, refetchOnMount: 'always' });
  const [isOrdering, setIsOrdering] = useState(false);
  const [showsRetired, setShowsRetired] = useState(false);
  const { data } = list;
  const current = data?.connections.filter(({ state }) => state !== 'retired') ?? [];
  const orderable = current.filter(({ state }) => state === 'active' || state === 'suspended');
  const retired = data?.connections.filter(({ state }) => state === 'retired') ?? [];
  const shown = showsRetired ? [...current, ...retired] : current;
  const isEmpty = data !== undefined && shown.length === 0;
  const isLimitReached = current.length >= CONNECTION_LIMITS.perMerchant;

  if (data === undefined && list.isError)
    return (
      <>
        <PageHeader title="Banco" sentence={SENTENCE} />
        <LoadFailure
          query={list}
          title="Erro ao buscar as suas contas"
          reassurance="Os recebimentos continuam."
          notOffered={errors.OWN_ACCOUNTS_OFF.message}
        />
      </>
    );
  if (
    data?.merchant_accounts === 'pooled' &&
    data.merchant_kind === 'pooled' &&
    data.connections.length === 0
  )
    return (
      <>
        <PageHeader title="Banco" />
        <EmptyState drawing="no-result" title="Contas próprias não são usadas aqui">
          Suas vendas entram na conta do operador deste gateway, e você saca o seu saldo.
        </EmptyState>
      </>
    );
  return (
    <>
      <PageHeader
        title="Banco"
        sentence={SENTENCE}
        actions={
          isApproved && mayManage && data !== undefined && !isEmpty ? (
            <>
              {orderable.length > 1 && (
                <Button
                  icon={<ArrowUpDown className="size-4" strokeWidth={1.75} aria-hidden="true" />}
                  onClick={() => setIsOrdering(true)}
                >
                  Mudar ordem
                </Button>
              )}
              {!isLimitReached && <ConnectLink label="Conectar outra conta" />}
            </>
          ) : undefined
        }
      />
      {data?.merchant_kind === 'pooled' && <PooledNotice hasAccounts={current.length > 0} />}
      {data?.merchant_kind === 'direct' &&
        current.length > 0 &&
        current.every(({ state }) => state !== 'active') && <NoneActiveNotice />}
      {isEmpty ? (
        isApproved ? (
          <HowItWorks
            action={
              mayManage ? (
                <ConnectLink label="Conectar banco" />
              ) : (
                <p className="text-muted">É um dono da conta que conecta o banco.</p>
              )
            }
          />
        ) : (
          <NotApproved drawing="nothing-yet" />
        )
      ) : (
        <ConnectionsTable
          connections={data && shown}
          onOpen={({ id }) => {
            const urlId = urlIdFrom(id);
            void navigate({ to: paths.bank, search: urlId === undefined ? {} : { id: urlId } });
          }}
        />
      )}
      {retired.length > 0 && !showsRetired && (
        <Button variant="quiet" size="small" className="mt-3 -ml-3" onClick={() => setShowsRetired(true)}>
          {retired.length === 1 ? 'Mostrar 1 encerrada' : `Mostrar ${retired.length} encerradas`}
        </Button>
      )}
      {current.length > 1 && (
        <p className="mt-3 text-muted">
          As cobranças são criadas na primeira conta ativa. Se o banco dela não responde, na seguinte.
        </p>
      )}
      {isLimitReached && (
        <p className="mt-3 text-muted">
          São no máximo {CONNECTION_LIMITS.perMerchant} contas. Para conectar outra, encerre uma antes.
        </p>
      )}
      {isOrdering && (
        <OrderDialog
          connections={orderable}
          hasPin={data?.has_pin ?? false}
          onClose={() => setIsOrdering(false)}
        />
      )}
    </>
  );
}

function ConnectLink({ label }: { label: string }) {
  return (
    <Link to={paths.bankConnect} className={buttonClass({ variant: 'primary' })}>
      <Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
      {label}
    </Link>
  );
}

/** For a merchant who is paid into the operator's account, as long as no own account is put to use. */
function PooledNotice({ hasAccounts }: { hasAccounts: boolean }) {
  return (
    <Notice tone="info" className="mb-5" title="Hoje suas vendas entram na conta do operador.">
      {hasAccounts
        ? 'Quando você ativar uma conta sua, as próximas entram nela.'
        : 'Quando você conectar e ativar uma conta sua, as próximas entram nela.'}
    </Notice>
  );
}

/** For a merchant who is paid into own accounts, none of which is in use. */
function NoneActiveNotice() {
  return (
    <Notice tone="warning" className="mb-5" title="Nenhuma conta bancária ativa.">
      Nada novo pode ser recebido até uma das suas contas estar ativa.
    </Notice>
  );
}
