import { PasswordField, PinField } from '../../ui/index.ts';
import type { Proof } from './use-api-withdrawals.ts';
import type { ProofProblems } from './use-proof.ts';

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
