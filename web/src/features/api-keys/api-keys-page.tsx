import type { ApiKeyModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { isApprovalRequested } from '../../api/approval-requested.ts';
import { errorText } from '../../api/error-text.ts';
import { useSupports } from '../../api/provider.ts';
import { settingsQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { makerText } from '../../panel/members/maker-text.ts';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, EmptyState, Notice, PageHeader, SectionHeader, Skeleton, toast } from '../../ui/index.ts';
import { HeaderExample } from './header-example.tsx';
import { KeyStatusBadge, KeyWell } from './key-well.tsx';
import { ScopedKeysSection } from './scoped-keys.tsx';
import { useApiKey, useNewKey } from './use-api-key.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

/** In English, as the specification that this dashboard follows prescribes. */
const GENERATE_ERROR = 'Failed to generate API key';

/**
 * The page with the account's API key, the secret that signs its webhooks, and the scoped keys of the merchant's
 * systems. The account's key, which may do everything, is only for owners.
 */
export function ApiKeysPage() {
  return useMay('manage-main-key') ? <AllKeys /> : <KeysOfSystems />;
}

function KeysOfSystems() {
  return (
    <>
      <PageHeader
        title="Chaves de API"
        sentence="Uma chave para cada sistema. As que estornam ou sacam, e a chave da conta, são dos donos."
      />
      <ScopedKeysSection className="max-w-[57.5rem]" />
      <section className="mt-10 max-w-136">
        <WebhookSecret />
      </section>
    </>
  );
}

function AllKeys() {
  const apiKeyState = useApiKey();
  const { query, generate, revoke, reveal } = apiKeyState;
  const hasWithdrawalsByKey = useSupports('withdrawalsByKey');
  const { generateKey, dialogs } = useNewKey(apiKeyState);
  const [openDialog, setOpenDialog] = useState<'replace' | 'revoke' | null>(null);
  const [error, setError] = useState<string>();
  const key = query.data;
  const isApproved = useSession(isAccountApproved);

  const generateFirstKey = async () => {
    setError(undefined);
    try {
      await generateKey();
    } catch (failure) {
      if (!isApprovalRequested(failure)) setError(errorText(failure, GENERATE_ERROR));
    }
  };

  return (
    <>
      <PageHeader
        title="Chaves de API"
        sentence="Com a chave, o sistema da sua loja cria cobranças sozinho."
      />
      {error !== undefined && (
        <Notice tone="error" className="mb-5 max-w-136">
          {error}
        </Notice>
      )}
      {key === undefined && query.isError ? (
        <LoadFailure
          query={query}
          title="Failed to load API key status"
          reassurance="Sua chave continua como estava."
        />
      ) : key?.hasKey === false ? (
        <NoKey isApproved={isApproved} generate={generate} onGenerate={generateFirstKey} />
      ) : (
        <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
          <div className="grid min-w-0 gap-8">
            <KeySection apiKey={key} reveal={reveal} onOpenDialog={setOpenDialog} />
            <WebhookSecret />
            {hasWithdrawalsByKey && <WithdrawalsByKey />}
          </div>
          <HeaderExample />
        </div>
      )}
      <ScopedKeysSection />
      <KeyConfirmations
        revoke={revoke}
        openDialog={openDialog}
        onOpenDialog={setOpenDialog}
        onReplace={generateKey}
      />
      {/* These dialogs wait until the confirmation is closed, because only one dialog may be open at a time. */}
      {openDialog === null && dialogs}
    </>
  );
}

type NoKeyProps = {
  isApproved: boolean;
  /** The request that generates a key. */
  generate: { isPending: boolean };
  onGenerate: () => Promise<void>;
};

function NoKey({ isApproved, generate, onGenerate }: NoKeyProps) {
  return (
    <EmptyState
      drawing="nothing-yet"
      title="Nenhuma chave ainda"
      action={
        isApproved && (
          <Button
            variant="primary"
            isSending={generate.isPending}
            icon={<KeyRound className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={onGenerate}
          >
            Gerar chave
          </Button>
        )
      }
    >
      {isApproved
        ? 'A chave que você gerar aparece aqui. É ela que identifica sua loja na API.'
        : 'Sua chave aparece aqui. Você a gera assim que a conta for aprovada.'}
    </EmptyState>
  );
}

type KeySectionProps = {
  apiKey: ApiKeyModel | undefined;
  reveal: ReturnType<typeof useApiKey>['reveal'];
  onOpenDialog: (dialog: 'replace' | 'revoke' | null) => void;
};

function KeySection({ apiKey, reveal, onOpenDialog }: KeySectionProps) {
  return (
    <section aria-labelledby="api-key">
      <SectionHeader
        id="api-key"
        title="Sua chave"
        aside={
          apiKey ? (
            <KeyStatusBadge hasKey={apiKey.hasKey} active={apiKey.active} />
          ) : (
            <Skeleton className="h-5.5 w-14" />
          )
        }
      />
      <div className="mt-2">
        {apiKey ? (
          <KeyWell apiKey={apiKey.key} masked={apiKey.masked} onReveal={reveal.mutateAsync} />
        ) : (
          <Skeleton className="h-10.5 w-full" />
        )}
      </div>
      {apiKey?.madeBy && (
        <p className="mt-2 text-xs wrap-anywhere text-muted">Criada por {makerText(apiKey.madeBy)}</p>
      )}
      {apiKey && !apiKey.active && <InactiveKey />}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button disabled={!apiKey} onClick={() => onOpenDialog('replace')}>
          Gerar nova chave
        </Button>
        <Button variant="danger" disabled={!apiKey} onClick={() => onOpenDialog('revoke')}>
          Revogar chave
        </Button>
      </div>
    </section>
  );
}

function WithdrawalsByKey() {
  return (
    <section aria-labelledby="api-withdrawals">
      <SectionHeader id="api-withdrawals" title="Saque pela API" />
      <p className="mt-1 text-muted">
        A chave também pode sacar, se você ligar isso: só para destinos salvos com senha e PIN.{' '}
        <Link to={paths.apiWithdrawals} className="link">
          Saque pela API
        </Link>
      </p>
    </section>
  );
}

type KeyConfirmationsProps = {
  revoke: ReturnType<typeof useApiKey>['revoke'];
  openDialog: 'replace' | 'revoke' | null;
  onOpenDialog: (dialog: 'replace' | 'revoke' | null) => void;
  onReplace: () => Promise<void>;
};

/** The dialogs that ask for a confirmation before the key is replaced or revoked. */
function KeyConfirmations({ revoke, openDialog, onOpenDialog, onReplace }: KeyConfirmationsProps) {
  const revokeKey = async () => {
    await revoke.mutateAsync();
    toast('API key revoked successfully');
  };
  return (
    <>
      <ConfirmDialog
        open={openDialog === 'replace'}
        onClose={() => onOpenDialog(null)}
        title="Gerar nova chave?"
        confirm="Gerar nova chave"
        onConfirm={onReplace}
        failure={GENERATE_ERROR}
      >
        A chave atual deixa de valer na hora. O que ainda a usa para de criar cobranças até receber a nova.
      </ConfirmDialog>
      <ConfirmDialog
        open={openDialog === 'revoke'}
        onClose={() => onOpenDialog(null)}
        title="Revogar chave?"
        confirm="Revogar chave"
        onConfirm={revokeKey}
        failure="Failed to revoke API key"
      >
        Ela deixa de valer na hora e não volta. Sem chave, nenhuma cobrança nova é criada.
      </ConfirmDialog>
    </>
  );
}

/** Says that the key is inactive, and what the merchant can do about it. */
function InactiveKey() {
  const isApproved = useSession(isAccountApproved);
  const adminEmail = useQuery(settingsQuery).data?.adminEmail;
  return (
    <Notice tone="warning" className="mt-4" title="Chave inativa.">
      {isApproved ? (
        <>
          Fale com o suporte para ativá-la
          {adminEmail != null && (
            <>
              :{' '}
              <a className="link" href={`mailto:${adminEmail}`}>
                {adminEmail}
              </a>
            </>
          )}
          .
        </>
      ) : (
        'Ela volta a valer quando sua conta for aprovada. Se já foi, fale com o suporte para ativá-la.'
      )}
    </Notice>
  );
}
