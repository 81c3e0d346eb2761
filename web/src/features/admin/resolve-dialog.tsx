import { useState } from 'react';
import { SelectField, TextField } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** An outcome that an administrator can record for a withdrawal or a refund. */
export type OutcomeOption<Outcome extends string> = {
  value: Outcome;
  label: string;
  /** Shown after this outcome was recorded. */
  successMessage: string;
  /**
   * The name of the identifier at the bank that may be entered with this outcome: the EndToEndId of a Pix that was
   * paid, or the rtrId of one that was returned.
   */
  bankReferenceLabel?: string;
};

type ResolveDialogProps<Outcome extends string> = {
  title: string;
  /** Says what to check first, and what happens to the money. */
  intro: string;
  /** The possible outcomes. If there is only one, it is selected already. */
  outcomeOptions: readonly OutcomeOption<Outcome>[];
  /** The identifier at the bank, an EndToEndId or rtrId, if the gateway already knows it. */
  knownBankReference?: string | null;
  onSend: (outcome: Outcome, evidence: string, bankReference: string | undefined) => Promise<unknown>;
  failure: string;
  onClose: () => void;
};

/**
 * Asks an administrator for the outcome of a withdrawal or a refund that the gateway cannot end by itself, and for
 * evidence from the bank.
 */
export function ResolveDialog<Outcome extends string>(props: ResolveDialogProps<Outcome>) {
  const { title, intro, outcomeOptions, knownBankReference, onSend, failure, onClose } = props;
  const [selectedOption, setSelectedOption] = useState(
    outcomeOptions.length === 1 ? outcomeOptions[0] : undefined,
  );
  const [bankReference, setBankReference] = useState(knownBankReference ?? '');
  const [isOutcomeMissing, setOutcomeMissing] = useState(false);
  return (
    <ReasonDialog
      title={title}
      label="Prova do banco"
      hint="O que o banco mostrou, com data e protocolo. Fica no registro de auditoria."
      minLength={10}
      maxLength={1000}
      tooShortError="Descreva a prova do banco."
      submitLabel="Encerrar"
      danger
      validate={() => {
        setOutcomeMissing(selectedOption === undefined);
        return selectedOption !== undefined;
      }}
      onSend={async (evidence) => {
        const enteredReference = selectedOption?.bankReferenceLabel === undefined ? '' : bankReference.trim();
        if (selectedOption !== undefined)
          await onSend(
            selectedOption.value,
            evidence,
            enteredReference === '' ? undefined : enteredReference,
          );
      }}
      successMessage={() => selectedOption?.successMessage ?? ''}
      failure={failure}
      onClose={onClose}
    >
      <p className="text-muted">{intro}</p>
      {outcomeOptions.length > 1 && (
        <SelectField
          label="Desfecho"
          error={isOutcomeMissing ? 'Diga o que o banco mostrou.' : undefined}
          options={[{ value: '', label: 'Escolha' }, ...outcomeOptions]}
          value={selectedOption?.value ?? ''}
          onChange={({ currentTarget }) => {
            setSelectedOption(outcomeOptions.find(({ value }) => value === currentTarget.value));
            setOutcomeMissing(false);
          }}
        />
      )}
      {selectedOption?.bankReferenceLabel !== undefined && (
        <TextField
          label={`${selectedOption.bankReferenceLabel} (opcional)`}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          value={bankReference}
          onChange={(event) => setBankReference(event.currentTarget.value)}
        />
      )}
    </ReasonDialog>
  );
}
