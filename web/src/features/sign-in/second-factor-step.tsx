import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { FactorForm, type FactorInput } from '../../panel/factor/factor-form.tsx';
import { Button } from '../../ui/button.tsx';
import { enterWithFactor, type SignInChallenge } from './second-factor.ts';

export { challengeIn, enterWithPasskey } from './second-factor.ts';

type SecondFactorStepProps = {
  asked: SignInChallenge;
  onEntered: () => void;
  /** Back to the password; with what went wrong where the question has run out. */
  onBack: (problem?: string) => void;
};

/** After the password: the second factor of the account. */
export function SecondFactorStep({ asked, onEntered, onBack }: SecondFactorStepProps) {
  const [entered, setEntered] = useState(false);
  const give = async (factor: FactorInput) => {
    try {
      await enterWithFactor(asked, factor);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CHALLENGE_EXPIRED')
        return onBack(error.serverMessage ?? undefined);
      throw error;
    }
    setEntered(true);
    onEntered();
  };
  return (
    <>
      <h1 className="text-xl font-strong">Confirme que é você</h1>
      <p className="mt-1 mb-8 text-base text-muted">Sua conta pede um segundo fator para entrar.</p>
      <FactorForm methods={asked.methods} passkey={asked.passkey} onFactor={give} confirm="Entrar">
        {!entered && (
          <Button variant="quiet" block onClick={() => onBack()}>
            Voltar
          </Button>
        )}
      </FactorForm>
    </>
  );
}
