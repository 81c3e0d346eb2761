import type { BankConnection } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { CheckSteps, checkSentence } from '../../panel/bank/check-steps.tsx';
import { bankAndKey, connectionTitle, hasFreshCheck } from '../../panel/bank/connection-words.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useNow } from '../../panel/use-now.ts';
import { useMay } from '../../session/account.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  LoadingRegion,
  PageHeader,
  SectionHeader,
  Skeleton,
  toast,
  toastError,
} from '../../ui/index.ts';
import { connectionActions, connectionQuery, connectionsQuery } from './bank-queries.ts';
import { type ConnectionAction, ConnectionDialogs } from './connection-dialogs.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { ConnectionSummary } from './connection-summary.tsx';

const MINUTE_MS = 60_000;

/** The page of one account: its state, its last check step by step, and what can be done with it. */
export function ConnectionPage({ id }: { id: string }) {
  const query = useQuery(connectionQuery(id));
  const { data, error } = query;
  if (error instanceof ApiError && error.code === 'CONNECTION_NOT_FOUND')
    return (
      <>
        <PageHeader title="Conta bancária" actions={<AllAccountsLink />} />
        <EmptyState drawing="no-result" title="Conta não encontrada">
          O endereço está errado, ou a conta é de outro lojista.
        </EmptyState>
      </>
    );
  if (data === undefined)
    return (
      <>
        <PageHeader title="Conta bancária" actions={<AllAccountsLink />} />
        {query.isError ? (
          <LoadFailure
            query={query}
            title="Erro ao buscar a conta"
            reassurance="Os recebimentos continuam."
          />
        ) : (
          <LoadingRegion>
            <Skeleton className="h-10.5 w-full max-w-136" />
            <Skeleton className="mt-6 h-60 w-full max-w-136" />
          </LoadingRegion>
        )}
      </>
    );
  return <LoadedConnection connection={data} />;
}

function AllAccountsLink() {
  return (
    <Link to={paths.bank} exact className={buttonClass()}>
      Todas as contas
    </Link>
  );
}

function LoadedConnection({ connection }: { connection: BankConnection }) {
  const now = useNow(true, MINUTE_MS);
  const list = useQuery(connectionsQuery).data;
  const [action, setAction] = useState<ConnectionAction | null>(null);
  const { verify, isStarting } = useVerify(connection);
  return (
    <>
      <PageHeader
        title={connectionTitle(connection)}
        sentence={<span className="wrap-anywhere">{bankAndKey(connection)}</span>}
        actions={
          <>
            <AllAccountsLink />
            <MainAction
              connection={connection}
              now={now}
              isStarting={isStarting}
              onVerify={verify}
              onAction={setAction}
            />
          </>
        }
      />
      <ConnectionNotice connection={connection} now={now} onAction={setAction} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,21rem)]">
        {/* First, so that a phone shows the state and the actions before the many steps of the check. */}
        <ConnectionSummary connection={connection} now={now} onAction={setAction} />
        <CheckSection
          connection={connection}
          now={now}
          isStarting={isStarting}
          onVerify={verify}
          onAction={setAction}
        />
      </div>
      <ConnectionDialogs
        connection={connection}
        bank={list?.banks.find(({ id }) => id === connection.bank)}
        hasPin={list?.has_pin ?? false}
        others={list?.connections.filter(({ id }) => id !== connection.id)}
        becomesDirect={list?.merchant_kind === 'pooled'}
        action={action}
        onAction={setAction}
      />
    </>
  );
}

function useVerify({ id }: BankConnection) {
  const [isStarting, setIsStarting] = useState(false);
  const verify = async () => {
    setIsStarting(true);
    try {
      await connectionActions.check(id);
    } catch (error) {
      toastError(errorText(error, 'Erro ao começar a verificação. Tente novamente.'));
    } finally {
      setIsStarting(false);
    }
  };
  return { verify, isStarting };
}

/** Whether a check is the next step: before the account is put to use, and where nothing works. */
function isVerifiedFirst({ state, suspended, broken }: BankConnection): boolean {
  if (state === 'active') return broken !== null;
  return state === 'draft' || (state === 'suspended' && suspended?.by !== 'operator');
}

/** The steps in which the bank recognises the account's credentials. */
const credentialSteps = ['certificate', 'token', 'scopes'];

/** Whether the check failed because the bank answered and refused what the dialog *Alterar credenciais* changes. */
function areCredentialsRefused({ check, state }: BankConnection): boolean {
  const failed = check?.steps.find((step) => step.state === 'failed');
  // The Pix key can be corrected only as long as the account was never used.
  if (failed?.id === 'key') return state === 'draft';
  if (failed === undefined || !credentialSteps.includes(failed.id)) return false;
  // Without an answer, or after one of a bank in trouble, the same credentials may pass later.
  return failed.id !== 'token' || /\b40[013]\b|recus/.test(failed.answered);
}

type MainActionProps = {
  connection: BankConnection;
  now: number;
  isStarting: boolean;
  onVerify: () => void;
  onAction: (action: ConnectionAction) => void;
};

/** The most likely next step: to verify the account, to put it to use, or to charge. */
function MainAction({ connection, now, isStarting, onVerify, onAction }: MainActionProps) {
  const { state, check, awaits_addresses, broken } = connection;
  const mayManage = useMay('manage-account');
  if (!mayManage) return null;
  if (state === 'active' && broken === null)
    return (
      <Link to={paths.pixPayment} className={buttonClass({ variant: 'primary' })}>
        Criar cobrança
      </Link>
    );
  if (!isVerifiedFirst(connection) || awaits_addresses || check?.result === 'running') return null;
  if (state !== 'active' && hasFreshCheck(connection, now))
    return (
      <Button variant="primary" onClick={() => onAction('activate')}>
        {state === 'draft' ? 'Ativar conta' : 'Reativar'}
      </Button>
    );
  if (areCredentialsRefused(connection))
    return (
      <Button variant="primary" onClick={() => onAction('credentials')}>
        Alterar credenciais
      </Button>
    );
  return (
    <Button variant="primary" isSending={isStarting} sendingLabel="Começando" onClick={onVerify}>
      {check === null ? 'Verificar' : 'Verificar de novo'}
    </Button>
  );
}

function CheckSection({ connection, now, isStarting, onVerify, onAction }: MainActionProps) {
  const { check, state, awaits_addresses } = connection;
  const mayManage = useMay('manage-account');
  const isEnding = state === 'retiring' || state === 'retired';
  const canVerify = mayManage && !isEnding && !awaits_addresses && check?.result !== 'running';
  // Where the page's main action is another one, the check is repeated from here.
  const isVerifiedNext =
    isVerifiedFirst(connection) && (state === 'active' || !hasFreshCheck(connection, now));
  const areOthersNeeded = areCredentialsRefused(connection);
  return (
    <section aria-labelledby="check">
      <SectionHeader
        id="check"
        title={check?.ofNewCredentials ? 'Verificação das novas credenciais' : 'Verificação'}
        aside={
          canVerify &&
          (!isVerifiedNext || areOthersNeeded) && (
            <Button size="small" isSending={isStarting} sendingLabel="Começando" onClick={onVerify}>
              {check === null ? 'Verificar' : 'Verificar de novo'}
            </Button>
          )
        }
      />
      {check === null ? (
        <p className="mt-1 text-muted">
          Ainda não houve. Ela entra no banco com as suas credenciais, confere a chave, cria uma cobrança de
          teste e a cancela, e diz passo a passo o que o banco respondeu.
        </p>
      ) : (
        <>
          <p className="mt-1 mb-3 text-muted">{checkSentence(check)}</p>
          <CheckSteps check={check} />
          {check.result === 'failed' && !isEnding && mayManage && (
            <p className="mt-3 mb-3 text-muted">
              {check.ofNewCredentials
                ? 'As credenciais atuais continuam valendo. Corrija no banco o que falhou, ou envie outras.'
                : 'Corrija no banco o que o passo diz, ou altere as credenciais, e verifique de novo.'}
            </p>
          )}
          {check.result === 'failed' && !isEnding && mayManage && (
            <div className="flex flex-wrap gap-2">
              {!(isVerifiedNext && areOthersNeeded) && (
                <Button size="small" onClick={() => onAction('credentials')}>
                  Alterar credenciais
                </Button>
              )}
              {check.ofNewCredentials && <DiscardButton connection={connection} />}
            </div>
          )}
        </>
      )}
    </section>
  );
}

/** Drops new credentials that did not pass their check, so that the current ones can be checked again. */
function DiscardButton({ connection: { id } }: { connection: BankConnection }) {
  const [isSending, setIsSending] = useState(false);
  const discard = async () => {
    setIsSending(true);
    try {
      await connectionActions.discardCredentials(id);
      toast('Credenciais novas descartadas');
    } catch (error) {
      toastError(errorText(error, 'Erro ao descartar as credenciais. Tente novamente.'));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Button size="small" isSending={isSending} sendingLabel="Descartando" onClick={discard}>
      Descartar as novas
    </Button>
  );
}
