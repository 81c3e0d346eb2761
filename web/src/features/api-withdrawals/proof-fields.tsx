import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { isPin } from '../../panel/pin/pin-rules.ts';
import { checkPin } from '../../session/pin-status.ts';
import { PasswordField, PinField } from '../../ui/index.ts';
import type { Proof } from './use-api-withdrawals.ts';

type ProofFieldsProps = {
  proof: Proof;
  onProof: (proof: Proof) => void;
  problems: ProofProblems;
  /** True when the password is the first field of its dialog, which gets the focus. */
  isFirst?: boolean;
};

/** The fields for password and PIN, required so that somebody at an open session cannot send money away. */
export function ProofFields({ proof, onProof, problems, isFirst = false }: ProofFieldsProps) {
  return (
    <>
      <PasswordField
        label="Senha atual"
        data-autofocus={isFirst || undefined}
        value={proof.password}
        onChange={(event) => onProof({ ...proof, password: event.currentTarget.value })}
        error={problems.password}
      />
      <PinField
        label="PIN de saque"
        value={proof.withdrawal_pin}
        onValue={(withdrawal_pin) => onProof({ ...proof, withdrawal_pin })}
        error={problems.pin}
      />
    </>
  );
}

type ProofProblems = { password?: string; pin?: string };

/** The typed password and PIN, and sending a request with them. `failure` is the default error message. */
export function useProof(failure: string) {
  const [proof, setProof] = useState<Proof>({ password: '', withdrawal_pin: '' });
  const [problems, setProblems] = useState<ProofProblems>({});
  return {
    fields: {
      proof,
      problems,
      onProof: (newProof: Proof) => {
        setProof(newProof);
        setProblems({});
      },
    },
    /** Returns whether the request succeeded. Rethrows errors that are not about password or PIN. */
    send: async (
      request: (proof: Proof) => Promise<unknown>,
      areOtherFieldsValid = true,
    ): Promise<boolean> => {
      const newProblems = problemsOf(proof);
      setProblems(newProblems);
      if (!areOtherFieldsValid || Object.keys(newProblems).length > 0) return false;
      try {
        await request(proof);
        return true;
      } catch (error) {
        setProof({ ...proof, withdrawal_pin: '' });
        void checkPin();
        const field = refusedField(error);
        if (field === undefined) throw error;
        setProblems({ [field]: errorText(error, failure) });
        return false;
      }
    },
  };
}

function problemsOf({ password, withdrawal_pin }: Proof): ProofProblems {
  return {
    ...(password === '' && { password: 'Senha atual é obrigatória' }),
    ...(!isPin(withdrawal_pin) && { pin: 'PIN inválido. Deve ter 4 dígitos.' }),
  };
}

function refusedField(error: unknown): keyof ProofProblems | undefined {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'PASSWORD_WRONG' || code === 'PASSWORD_REQUIRED') return 'password';
  return code === 'PIN_WRONG' ? 'pin' : undefined;
}
