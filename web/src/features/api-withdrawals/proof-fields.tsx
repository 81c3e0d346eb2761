import { ApiError } from '../../api/api-error.ts';
import { isPin } from '../../panel/pin/pin-problems.ts';
import { PasswordField, PinField } from '../../ui/index.ts';
import type { Proof } from './use-api-withdrawals.ts';

export type ProofProblems = { password?: string; pin?: string };
export const noProof: Proof = { password: '', withdrawal_pin: '' };

/** What is missing of a proof, by field; empty when nothing is. */
export function proofProblems({ password, withdrawal_pin }: Proof): ProofProblems {
  return {
    ...(password === '' && { password: 'Senha atual é obrigatória' }),
    ...(!isPin(withdrawal_pin) && { pin: 'PIN inválido. Deve ter 4 dígitos.' }),
  };
}

/** The field of the proof that a refusal speaks of; undefined when it speaks of something else. */
export function refusedProof(error: unknown): keyof ProofProblems | undefined {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'PASSWORD_WRONG' || code === 'PASSWORD_REQUIRED') return 'password';
  return code === 'PIN_WRONG' ? 'pin' : undefined;
}

type ProofFieldsProps = {
  proof: Proof;
  onProof: (proof: Proof) => void;
  problems: ProofProblems;
  /** The first field of its dialog. */
  first?: boolean;
};

/** Password and PIN: a session left open must not open a way out for money. */
export function ProofFields({ proof, onProof, problems, first = false }: ProofFieldsProps) {
  return (
    <>
      <PasswordField
        label="Senha atual"
        data-autofocus={first || undefined}
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
