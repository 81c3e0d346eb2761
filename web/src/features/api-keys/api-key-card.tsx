import type { ApiKeyModel } from '@jangada/contract';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { isApprovalRequested } from '../../api/approval-requested.ts';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { isAccountApproved } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, Code, Panel, Skeleton, SkeletonText, toastError } from '../../ui/index.ts';
import { KeyStatusBadge, KeyWell } from './key-well.tsx';
import { useApiKey, useNewKey } from './use-api-key.tsx';

/** The card of the dashboard that shows the account's API key, or generates the first one. */
export function ApiKeyCard() {
  const isApproved = useSession(isAccountApproved);
  const apiKeyState = useApiKey();
  const { query, generate, reveal } = apiKeyState;
  const newKey = useNewKey(apiKeyState);
  const key = query.data;
  const generateKey = async () => {
    try {
      await newKey.generateKey();
    } catch (error) {
      if (!isApprovalRequested(error)) toastError(errorText(error, 'Failed to generate API key'));
    }
  };
  return (
    <Panel label="Chave de API">
      <div className="flex min-h-5.5 items-center justify-between gap-4">
        <h2 className="font-strong">Chave de API</h2>
        {key ? (
          <KeyStatusBadge hasKey={key.hasKey} active={key.active} />
        ) : (
          query.isPending && <Skeleton className="h-5.5 w-14" />
        )}
      </div>
      {key ? (
        <KeyState
          apiKey={key}
          isApproved={isApproved}
          reveal={reveal}
          generate={generate}
          onGenerate={generateKey}
        />
      ) : query.isPending ? (
        <CardSkeleton />
      ) : (
        <div role="alert" className="mt-2 grid justify-items-start gap-4">
          <p className="text-error">{errorText(query.error, 'Failed to load API key status')}</p>
          <Button size="small" onClick={() => query.refetch()}>
            Tentar Novamente
          </Button>
        </div>
      )}
      {key && (
        <p className="mt-4">
          <Link to={paths.apiKeys} className="link">
            Chaves de API
          </Link>
        </p>
      )}
      {newKey.dialogs}
    </Panel>
  );
}

type KeyStateProps = {
  apiKey: ApiKeyModel;
  isApproved: boolean;
  reveal: ReturnType<typeof useApiKey>['reveal'];
  /** The request that generates a key. */
  generate: { isPending: boolean };
  onGenerate: () => Promise<void>;
};

function KeyState({ apiKey, isApproved, reveal, generate, onGenerate }: KeyStateProps) {
  return (
    <>
      <p className="mt-2 text-muted">{explanationOf(apiKey, isApproved)}</p>
      <div className="mt-4">
        {apiKey.hasKey ? (
          <KeyWell apiKey={apiKey.key} masked={apiKey.masked} onReveal={reveal.mutateAsync} />
        ) : isApproved ? (
          <Button
            block
            isSending={generate.isPending}
            icon={<KeyRound className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={onGenerate}
          >
            Gerar chave
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** Explains what the key is for, or why the account has no key or cannot use it. */
function explanationOf({ hasKey, active }: ApiKeyModel, isApproved: boolean): ReactNode {
  if (!hasKey)
    return isApproved
      ? 'Sua loja usa a chave para criar cobranças.'
      : 'Sua loja usa a chave para criar cobranças. Você gera a sua assim que a conta for aprovada.';
  if (active)
    return (
      <>
        Sua loja cria cobranças enviando esta chave no cabeçalho{' '}
        <Code className="text-base-content">X-API-Key</Code>.
      </>
    );
  return isApproved
    ? 'A chave está inativa. Fale com o suporte para ativá-la.'
    : 'A chave volta a valer quando sua conta for aprovada.';
}

function CardSkeleton() {
  return (
    <>
      <SkeletonText line="mt-2 h-5" className="h-3 w-full" />
      <SkeletonText line="h-5" className="h-3 w-2/3" />
      <Skeleton className="mt-4 h-10.5 w-full" />
      <SkeletonText line="mt-4 h-5" className="h-3 w-24" />
    </>
  );
}
