import { confirmPassword } from '@jangada/contract';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { requestStepUp } from '../../api/step-up.ts';
import { Button, CopyButton, copyFailed, IconButton, toast, toastError } from '../../ui/index.ts';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';
import { PasswordDialog, PasswordWanted, wantsPassword } from '../confirm/password-dialog.tsx';
import { maskSecret, SecretWell } from './secret-well.tsx';

const LOAD_ERROR = 'Erro ao buscar o segredo dos webhooks.';

type Action = () => Promise<unknown>;
type Answer = { secret: string | null };

export type SigningSecretProps = {
  /** Asks for the secret, which the owner is told of; null until the password is given again. */
  read: () => Promise<Answer>;
  /** Replaces the secret; rejects, or answers null, when the password is required. */
  rotate: () => Promise<Answer>;
};

/** A secret that signs webhooks: show, copy, rotate. It is asked for only when somebody wants to see or copy it. */
export function SigningSecret({ read, rotate }: SigningSecretProps) {
  const own = useSigningSecret({ read, rotate });
  const { secret } = own;
  const visible = own.shown && secret !== null;
  return (
    <>
      <div className="mt-3">
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
      </div>
      <Button className="mt-4" onClick={() => own.setReplacing(true)}>
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

/** Shows, copies and replaces the secret, asking for the password if required. */
function useSigningSecret({ read, rotate }: SigningSecretProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const [replacing, setReplacing] = useState(false);
  // The action to resume once the password is given.
  const [locked, setLocked] = useState<Action | null>(null);

  const keep = (answer: Answer) => {
    if (answer.secret === null) throw new PasswordWanted();
    setSecret(answer.secret);
    return answer.secret;
  };
  const unlocking = (action: Action) =>
    action().catch((failure: unknown) => {
      if (!wantsPassword(failure)) throw failure;
      setLocked(() => action);
    });
  const start = (action: Action) =>
    unlocking(action).catch((failure: unknown) => toastError(errorText(failure, LOAD_ERROR)));
  const show = async () => {
    keep(await read());
    setShown(true);
  };
  const copy = async () => {
    const text = keep(await read());
    await navigator.clipboard.writeText(text).then(() => toast('Segredo copiado'), copyFailed);
  };
  const replace = async () => {
    keep(await rotate());
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
