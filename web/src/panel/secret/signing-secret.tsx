import { confirmPassword } from '@jangada/contract';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { requestStepUp } from '../../api/step-up.ts';
import { Button, CopyButton, IconButton, showCopyFailure, toast, toastError } from '../../ui/index.ts';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';
import { isPasswordRequired, PasswordDialog, PasswordRequiredError } from '../confirm/password-dialog.tsx';
import { maskSecret, SecretWell } from './secret-well.tsx';

const LOAD_ERROR = 'Erro ao buscar o segredo dos webhooks.';

type Action = () => Promise<unknown>;
type SecretResponse = { secret: string | null };

export type SigningSecretProps = {
  /**
   * Fetches the secret, and makes the gateway notify the owner. The secret is null until the password is given again.
   */
  read: () => Promise<SecretResponse>;
  /** Replaces the secret; rejects, or resolves to null, when the password is required. */
  rotate: () => Promise<SecretResponse>;
};

/**
 * Shows, copies and replaces a secret that signs webhooks. The secret is fetched only when the user wants to see or
 * copy it.
 */
export function SigningSecret({ read, rotate }: SigningSecretProps) {
  const signing = useSigningSecret({ read, rotate });
  const { secret } = signing;
  const isVisible = signing.isShown && secret !== null;
  return (
    <>
      <div className="mt-3">
        <SecretWell
          name="segredo"
          text={isVisible ? secret : maskSecret(secret ?? '')}
          isShown={isVisible}
          onToggle={() =>
            secret === null ? signing.runWithErrorToast(signing.show) : signing.setIsShown(!signing.isShown)
          }
          copy={
            secret === null ? (
              <IconButton
                size="small"
                className="text-muted"
                label="Copiar segredo"
                icon={<Copy className="size-4" strokeWidth={1.75} aria-hidden="true" />}
                onClick={() => signing.runWithErrorToast(signing.copy)}
              />
            ) : (
              <CopyButton iconOnly text={secret} label="Copiar segredo" />
            )
          }
        />
      </div>
      <Button className="mt-4" onClick={() => signing.setIsReplacing(true)}>
        Trocar segredo
      </Button>
      <ConfirmDialog
        open={signing.isReplacing}
        onClose={() => signing.setIsReplacing(false)}
        title="Trocar o segredo?"
        confirm="Trocar segredo"
        onConfirm={() => signing.runOrAskPassword(signing.replace)}
        failure="Erro ao trocar o segredo dos webhooks."
      >
        Por 24 horas os avisos vão assinados com os dois. Nesse tempo, ponha o novo no seu sistema.
      </ConfirmDialog>
      <PasswordDialog
        // Only one dialog is open at a time: this one opens after the confirmation has closed.
        open={signing.pendingAction !== null && !signing.isReplacing}
        onClose={() => signing.setPendingAction(null)}
        onPassword={signing.confirmAndResume}
        reason="Quem tem o segredo pode se passar por nós. Por isso pedimos a senha antes de mostrá-lo ou trocá-lo."
      />
    </>
  );
}

/**
 * The state and the actions of the secret. An action for which the gateway requires the password waits until the
 * password is given, and then runs again.
 */
function useSigningSecret({ read, rotate }: SigningSecretProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [isShown, setIsShown] = useState(false);
  const [isReplacing, setIsReplacing] = useState(false);
  /** The action that waits for the password. */
  const [pendingAction, setPendingAction] = useState<Action | null>(null);

  /** Stores the secret for display. Throws when the gateway sent no secret because it wants the password first. */
  const storeSecret = (response: SecretResponse) => {
    if (response.secret === null) throw new PasswordRequiredError();
    setSecret(response.secret);
    return response.secret;
  };
  const runOrAskPassword = (action: Action) =>
    action().catch((failure: unknown) => {
      if (!isPasswordRequired(failure)) throw failure;
      setPendingAction(() => action);
    });
  const runWithErrorToast = (action: Action) =>
    runOrAskPassword(action).catch((failure: unknown) => toastError(errorText(failure, LOAD_ERROR)));
  const show = async () => {
    storeSecret(await read());
    setIsShown(true);
  };
  const copy = async () => {
    const text = storeSecret(await read());
    await navigator.clipboard.writeText(text).then(() => toast('Segredo copiado'), showCopyFailure);
  };
  const replace = async () => {
    storeSecret(await rotate());
    toast('Segredo trocado');
  };
  const confirmAndResume = async (password: string) => {
    await call(confirmPassword, { body: { password } });
    await pendingAction?.().catch(async (failure: unknown) => {
      // If the gateway still withholds the secret, the account has a second factor that this session has not confirmed
      // recently.
      if (!(failure instanceof PasswordRequiredError) || !(await requestStepUp())) throw failure;
      await pendingAction();
    });
  };

  return {
    secret,
    isShown,
    setIsShown,
    isReplacing,
    setIsReplacing,
    pendingAction,
    setPendingAction,
    runOrAskPassword,
    runWithErrorToast,
    show,
    copy,
    replace,
    confirmAndResume,
  };
}
