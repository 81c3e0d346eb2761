import { confirmPassword } from '@jangada/contract';
import { call } from '../../api/client.ts';
import { PasswordDialog } from '../confirm/password-dialog.tsx';

/** Asks an account without a second factor for its password, which confirms the session for five minutes. */
export function StepUpPassword({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  const confirm = async (password: string) => {
    await call(confirmPassword, { body: { password } });
    onAnswer(true);
  };
  return (
    <PasswordDialog
      open
      onClose={() => onAnswer(false)}
      onPassword={confirm}
      reason="Este passo pede a senha, para que ninguém o dê com uma sessão que ficou aberta."
    />
  );
}
