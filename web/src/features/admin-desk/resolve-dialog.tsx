import { useState } from 'react';
import { SelectField, TextField } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** An outcome that an operator can record for a withdrawal or a refund. */
export type OutcomeOption<Outcome extends string> = {
  value: Outcome;
  label: string;
  /** Shown after the operator has recorded this outcome. */
  successMessage: string;
  /** The name of the bank's identifier (EndToEndId or rtrId) that the operator may enter with this outcome. */
  codeLabel?: string;
};

type ResolveDialogProps<Outcome extends string> = {
  title: string;
  /** Tells the operator what to check first, and what happens to the money. */
  intro: string;
  /** The possible outcomes. The operator chooses one of them, unless there is only one. */
  outcomeOptions: readonly OutcomeOption<Outcome>[];
  /** The bank's identifier, if the gateway already knows it. */
  knownCode?: string | null;
  onSend: (outcome: Outcome, evidence: string, code: string | undefined) => Promise<unknown>;
  failure: string;
  onClose: () => void;
};

/**
 * Asks an operator for the outcome of a withdrawal or a refund that the gateway cannot end by itself, and for evidence
 * from the bank.
 */
export function ResolveDialog<Outcome extends string>(props: ResolveDialogProps<Outcome>) {
  const { title, intro, outcomeOptions, knownCode, onSend, failure, onClose } = props;
  const [ending, setEnding] = useState(outcomeOptions.length === 1 ? outcomeOptions[0] : undefined);
  const [code, setCode] = useState(knownCode ?? '');
  const [isEndingMissing, setEndingMissing] = useState(false);
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
        setEndingMissing(ending === undefined);
        return ending !== undefined;
      }}
      onSend={async (evidence) => {
        const enteredCode = ending?.codeLabel === undefined ? '' : code.trim();
        if (ending !== undefined)
          await onSend(ending.value, evidence, enteredCode === '' ? undefined : enteredCode);
      }}
      successMessage={() => ending?.successMessage ?? ''}
      failure={failure}
      onClose={onClose}
    >
      <p className="text-muted">{intro}</p>
      {outcomeOptions.length > 1 && (
        <SelectField
          label="Desfecho"
          error={isEndingMissing ? 'Diga o que o banco mostrou.' : undefined}
          options={[{ value: '', label: 'Escolha' }, ...outcomeOptions]}
          value={ending?.value ?? ''}
          onChange={({ currentTarget }) => {
            setEnding(outcomeOptions.find(({ value }) => value === currentTarget.value));
            setEndingMissing(false);
          }}
        />
      )}
      {ending?.codeLabel !== undefined && (
        <TextField
          label={`${ending.codeLabel} (opcional)`}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
    </ReasonDialog>
  );
}
