import { type beginTotp, confirmTotp, type ResponseOf } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { stripTotpSpaces, totpProblem } from '../../panel/factor/given-factor.ts';
import { CopyButton, QrTile, TextField } from '../../ui/index.ts';

type TotpDialogProps = {
  /** The secret for the authenticator app, as text and as a QR code. */
  setup: ResponseOf<typeof beginTotp>;
  onClose: () => void;
  /**
   * Called once the factor is active: with the recovery codes if it is the account's first factor, otherwise with null.
   */
  onAdded: (codes: readonly string[] | null) => void;
};

/**
 * Sets up an authenticator app (TOTP): shows the secret as a QR code and as text. The factor becomes active with the
 * first code that the app displays.
 */
export function TotpDialog({ setup, onClose, onAdded }: TotpDialogProps) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = async () => {
    const newProblem = totpProblem(code);
    setProblem(newProblem);
    if (newProblem !== undefined) return false;
    try {
      const { recovery_codes } = await call(confirmTotp, { body: { code: stripTotpSpaces(code) } });
      onAdded(recovery_codes);
    } catch (error) {
      setCode('');
      throw error;
    }
    // `onAdded` has already closed this dialog or replaced it with the recovery codes, so the form need not close it.
    return false;
  };
  const image = setup.image.startsWith('data:') ? setup.image : `data:image/png;base64,${setup.image}`;
  return (
    <FormDialog
      title="Ligar o aplicativo autenticador"
      submit="Ligar"
      failure="Não foi possível ligar. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        Leia o código com um aplicativo como Google Authenticator, Aegis ou o seu gerenciador de senhas.
      </p>
      <QrTile src={image} alt="QR code para o aplicativo autenticador" className="mx-auto w-full max-w-52" />
      <div>
        <p className="text-xs text-muted">Sem câmera? Digite esta chave no aplicativo:</p>
        <p className="mt-1.5 flex items-center gap-1 rounded-field border border-base-300 bg-base-200 py-1 pr-1.5 pl-3">
          <code className="min-w-0 grow font-mono text-xs break-all">{inGroupsOfFour(setup.secret)}</code>
          <CopyButton iconOnly text={setup.secret} label="Copiar chave" />
        </p>
      </div>
      <TextField
        label="Código do aplicativo"
        hint="Os 6 dígitos que ele mostra agora"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={32}
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={problem}
      />
    </FormDialog>
  );
}

/** The secret in groups of four, which are easier to type; apps ignore the spaces. */
function inGroupsOfFour(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ');
}
