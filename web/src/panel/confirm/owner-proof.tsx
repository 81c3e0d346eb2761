import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { checkPin } from '../../session/pin-status.ts';
import { PasswordField, PinField } from '../../ui/index.ts';
import { isPin } from '../pin/pin-rules.ts';

/** The password and the PIN, which prove that the owner of the account sends the request. */
export type PasswordAndPin = { password: string; pin: string };

type ProofFieldsProps = {
  proof: PasswordAndPin;
  onProof: (proof: PasswordAndPin) => void;
  problems: ProofProblems;
  /** False for an account without a PIN, which is asked for the password alone. */
  hasPin: boolean;
  /** True when the password is the first field of the dialog, so that the password gets the focus. */
  isFirst?: boolean;
};

/**
 * The fields for the password and the PIN. Both are required, so that somebody who finds an open session cannot open a
 * way for money.
 */
export function ProofFields({ proof, onProof, problems, hasPin, isFirst = false }: ProofFieldsProps) {
  return (
    <>
      <PasswordField
        label="Senha atual"
        data-autofocus={isFirst || undefined}
        value={proof.password}
        onChange={(event) => onProof({ ...proof, password: event.currentTarget.value })}
        error={problems.password}
      />
      {hasPin && (
        <PinField
          label="PIN de saque"
          value={proof.pin}
          onValue={(pin) => onProof({ ...proof, pin })}
          error={problems.pin}
        />
      )}
    </>
  );
}

/** The error of each invalid field. */
type ProofProblems = { password?: string; pin?: string };

/**
 * The state of the fields for the password and the PIN, and `send`, which sends a request with both. `failure` is the
 * message to show when the server sends none.
 */
export function useOwnerProof(failure: string, hasPin = true) {
  const [proof, setProof] = useState<PasswordAndPin>({ password: '', pin: '' });
  const [problems, setProblems] = useState<ProofProblems>({});
  return {
    fields: {
      proof,
      problems,
      hasPin,
      onProof: (newProof: PasswordAndPin) => {
        setProof(newProof);
        setProblems({});
      },
    },
    /**
     * Sends the request, unless a field of the form is invalid, and returns whether the request succeeded. After a
     * failure the PIN must be typed again. An error about the password or the PIN is shown at its field; any other
     * error is thrown.
     */
    send: async (
      request: (proof: PasswordAndPin) => Promise<unknown>,
      areOtherFieldsValid = true,
    ): Promise<boolean> => {
      const newProblems = problemsOf(proof, hasPin);
      setProblems(newProblems);
      if (!areOtherFieldsValid || Object.keys(newProblems).length > 0) return false;
      try {
        await request(proof);
        return true;
      } catch (error) {
        setProof({ ...proof, pin: '' });
        // A wrong PIN may have locked withdrawals, so the state of the PIN is read again.
        void checkPin();
        const field = refusedField(error);
        if (field === undefined) throw error;
        setProblems({ [field]: errorText(error, failure) });
        return false;
      }
    },
  };
}

function problemsOf({ password, pin }: PasswordAndPin, hasPin: boolean): ProofProblems {
  return {
    ...(password === '' && { password: 'Senha atual é obrigatória' }),
    ...(hasPin && !isPin(pin) && { pin: 'PIN inválido. Deve ter 4 dígitos.' }),
  };
}

/** The field that the gateway refused; undefined for another error. */
function refusedField(error: unknown): keyof ProofProblems | undefined {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'PASSWORD_WRONG' || code === 'PASSWORD_REQUIRED') return 'password';
  return code === 'PIN_WRONG' ? 'pin' : undefined;
}
