import type { SecurityState } from '@jangada/contract';
import { requestStepUp } from '../../api/step-up.ts';
import { Button, Notice } from '../../ui/index.ts';
import { securityChanged } from './use-security.ts';

const confirm = async () => {
  if (await requestStepUp()) await securityChanged();
};

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
      title="Falta o segundo fator."
      action={
        <Button size="small" onClick={confirm}>
          Confirmar agora
        </Button>
      }
    >
      Esta sessão foi aberta só com a senha, e seu papel exige mais.
    </Notice>
  );
}
