import { type beginTotp, confirmTotp, type ResponseOf } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { bareTotp, totpProblem } from '../../panel/factor/given-factor.ts';
import { CopyButton, QrTile, TextField } from '../../ui/index.ts';

type TotpDialogProps = {
  begun: ResponseOf<typeof beginTotp>;
  onClose: () => void;
  /** Called once the factor is active, with the recovery codes if it is the first, otherwise null. */
  onAdded: (codes: readonly string[] | null) => void;
};

/** The secret as a QR code and as text; the factor becomes active with the app's first code. */
export function TotpDialog({ begun, onClose, onAdded }: TotpDialogProps) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = async () => {
    const found = totpProblem(code);
    setProblem(found);
    if (found !== undefined) return false;
    try {
      const { recovery_codes } = await call(confirmTotp, { body: { code: bareTotp(code) } });
      onAdded(recovery_codes);
    } catch (error) {
      setCode('');
      throw error;
    }
    // The parent has closed the dialog, or shows the codes in its place.
    return false;
  };
  const image = begun.image.startsWith('data:') ? begun.image : `data:image/png;base64,${begun.image}`;
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
          <code className="min-w-0 grow font-mono text-xs break-all">{inFours(begun.secret)}</code>
          <CopyButton iconOnly text={begun.secret} label="Copiar chave" />
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

/** Groups are easier to type, and apps ignore the spaces. */
function inFours(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ');
}
