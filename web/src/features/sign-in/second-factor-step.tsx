import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { FactorForm, type FactorInput } from '../../panel/factor/factor-form.tsx';
import { Button } from '../../ui/button.tsx';
import { type SignInChallenge, signInWithFactor } from './second-factor.ts';

// The sign-in form takes these functions from this file, which it loads on demand, to keep the first visit light.
export { challengeIn, signInByPasskey } from './second-factor.ts';

type SecondFactorStepProps = {
  challenge: SignInChallenge;
  onSuccess: () => void;
  /** Returns to the form for the password. `problem` is the reason if the challenge has expired. */
  onBack: (problem?: string) => void;
};

/** The second step of the sign-in, after the password: asks for the account's second factor. */
export function SecondFactorStep({ challenge, onSuccess, onBack }: SecondFactorStepProps) {
  const [hasSucceeded, setHasSucceeded] = useState(false);
  const submitFactor = async (factor: FactorInput) => {
    try {
      await signInWithFactor(challenge, factor);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CHALLENGE_EXPIRED')
        return onBack(error.serverMessage ?? undefined);
      throw error;
    }
    setHasSucceeded(true);
    onSuccess();
  };
  return (
    <>
      <h1 className="text-xl font-strong">Confirme que é você</h1>
      <p className="mt-1 mb-8 text-base text-muted">Sua conta pede um segundo fator para entrar.</p>
      <FactorForm
        methods={challenge.methods}
        passkey={challenge.passkey}
        onFactor={submitFactor}
        confirm="Entrar"
      >
        {!hasSucceeded && (
          <Button variant="quiet" block onClick={() => onBack()}>
            Voltar
          </Button>
        )}
      </FactorForm>
    </>
  );
}
