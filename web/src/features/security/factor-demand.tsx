import type { SecurityState } from '@jangada/contract';
import { signOut } from '../../session/sign-in.ts';
import { Button, Notice } from '../../ui/index.ts';

/** For a role that may not go without a second factor: what is missing before it may work. */
export function FactorDemand({ state }: { state: SecurityState }) {
  if (!state.demanded || state.given) return null;
  const hasFactor = state.totp || state.passkeys.length > 0;
  if (!hasFactor)
    return (
      <Notice tone="warning" className="mb-5" title="Seu papel exige um segundo fator.">
        Ligue abaixo o aplicativo autenticador ou uma chave de acesso.
      </Notice>
    );
  return (
    <Notice
      tone="warning"
      className="mb-5"
      title="Entre de novo com o segundo fator."
      action={
        <Button size="small" onClick={signOut}>
          Sair e entrar
        </Button>
      }
    >
      Esta sessão foi aberta só com a senha, e seu papel exige mais.
    </Notice>
  );
}
