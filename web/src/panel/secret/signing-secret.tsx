import { confirmPassword } from '@jangada/contract';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { requestStepUp } from '../../api/step-up.ts';
import { Button, CopyButton, copyFailed, IconButton, Skeleton, toast, toastError } from '../../ui/index.ts';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';
import { PasswordDialog, PasswordWanted, wantsPassword } from '../confirm/password-dialog.tsx';
import { maskSecret, SecretWell } from './secret-well.tsx';

const LOAD_ERROR = 'Erro ao buscar o segredo dos webhooks.';

type Action = () => Promise<unknown>;

export type SigningSecretProps = {
  /** The secret's query: the secret is null until the password is given again. */
  query: {
    data: { secret: string | null } | undefined;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  /** Returns the secret; rejects when the password is required. */
  read: () => Promise<string>;
  /** Replaces the secret; rejects when the password is required. */
  rotate: () => Promise<unknown>;
};

/** A secret that signs webhooks: show, copy, rotate. */
export function SigningSecret({ query, read, rotate }: SigningSecretProps) {
  const own = useSigningSecret({ query, read, rotate });
  const { secret } = own;
  const visible = own.shown && typeof secret === 'string';
  return (
    <>
      <div className="mt-3">
        {secret !== undefined ? (
          <SecretWell
            name="segredo"
            text={visible ? secret : maskSecret(secret ?? '')}
            shown={visible}
            onToggle={() => (secret === null ? own.start(own.show) : own.setShown(!own.shown))}
            copy={
              secret === null ? (
                <IconButton
                  size="small"
                  className="text-muted"
                  label="Copiar segredo"
                  icon={<Copy className="size-4" strokeWidth={1.75} aria-hidden="true" />}
                  onClick={() => own.start(own.copy)}
                />
              ) : (
                <CopyButton iconOnly text={secret} label="Copiar segredo" />
              )
            }
          />
        ) : query.isError ? (
          <div role="alert" className="flex flex-wrap items-center gap-3">
            <p className="text-error">{errorText(query.error, LOAD_ERROR)}</p>
            <Button size="small" onClick={() => query.refetch()}>
              Tentar Novamente
            </Button>
          </div>
        ) : (
          <Skeleton className="h-10.5 w-full" />
        )}
      </div>
      <Button className="mt-4" disabled={secret === undefined} onClick={() => own.setReplacing(true)}>
        Trocar segredo
      </Button>
      <ConfirmDialog
        open={own.replacing}
        onClose={() => own.setReplacing(false)}
        title="Trocar o segredo?"
        confirm="Trocar segredo"
        onConfirm={() => own.unlocking(own.replace)}
        failure="Erro ao trocar o segredo dos webhooks."
      >
        Por 24 horas os avisos vão assinados com os dois. Nesse tempo, ponha o novo no seu sistema.
      </ConfirmDialog>
      <PasswordDialog
        // One dialog at a time.
        open={own.locked !== null && !own.replacing}
        onClose={() => own.setLocked(null)}
        onPassword={own.confirmed}
        reason="Quem tem o segredo pode se passar por nós. Por isso pedimos a senha antes de mostrá-lo ou trocá-lo."
      />
    </>
  );
}

type UseSigningSecretOptions = {
  query: SigningSecretProps['query'];
  read: SigningSecretProps['read'];
  rotate: SigningSecretProps['rotate'];
};

/** Shows, copies and replaces the secret, asking for the password if required. */
function useSigningSecret({ query, read, rotate }: UseSigningSecretOptions) {
  const [shown, setShown] = useState(false);
  const [replacing, setReplacing] = useState(false);
  // The action to resume once the password is given.
  const [locked, setLocked] = useState<Action | null>(null);
  const secret = query.data?.secret;

  const unlocking = (action: Action) =>
    action().catch((failure: unknown) => {
      if (!wantsPassword(failure)) throw failure;
      setLocked(() => action);
    });
  const start = (action: Action) =>
    unlocking(action).catch((failure: unknown) => toastError(errorText(failure, LOAD_ERROR)));
  const show = async () => {
    await read();
    setShown(true);
  };
  const copy = async () => {
    const text = await read();
    await navigator.clipboard.writeText(text).then(() => toast('Segredo copiado'), copyFailed);
  };
  const replace = async () => {
    await rotate();
    toast('Segredo trocado');
  };
  const confirmed = async (password: string) => {
    await call(confirmPassword, { body: { password } });
    await locked?.().catch(async (failure: unknown) => {
      // Still locked: the account has a second factor that this session has not confirmed recently.
      if (!(failure instanceof PasswordWanted) || !(await requestStepUp())) throw failure;
      await locked();
    });
  };

  return {
    shown,
    setShown,
    replacing,
    setReplacing,
    locked,
    setLocked,
    secret,
    unlocking,
    start,
    show,
    copy,
    replace,
    confirmed,
  };
}
