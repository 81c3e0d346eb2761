import type { SecurityState } from '@jangada/contract';
import { requestStepUp } from '../../api/step-up.ts';
import { Button, Notice } from '../../ui/index.ts';
import { refetchSecurity } from './use-security.ts';

/** Asks for the second factor. The gateway then records in the session that it was given. */
const giveFactor = async () => {
  if (await requestStepUp()) await refetchSecurity();
};

/**
 * A notice for users whose role requires a second factor (`state.demanded`) but who have not given one in this session
 * (`state.given` is false). The notice says whether they must set up a factor, or only give it.
 */
export function MissingFactorNotice({ state }: { state: SecurityState }) {
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
        <Button size="small" onClick={giveFactor}>
          Confirmar agora
        </Button>
      }
    >
      Esta sessão foi aberta só com a senha, e seu papel exige mais.
    </Notice>
  );
}
