import { useState } from 'react';
import { SelectField, TextField } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** How something that left may have ended. */
export type Ending<Outcome extends string> = {
  value: Outcome;
  label: string;
  /** The message on success. */
  done: string;
  /** The bank's own name for it, asked for with this end. */
  code?: string;
};

type ResolveDialogProps<Outcome extends string> = {
  title: string;
  /** What the operator must check, and the consequences. */
  intro: string;
  /** One that is alone needs no choice. */
  endings: readonly Ending<Outcome>[];
  knownCode?: string | null;
  onSend: (outcome: Outcome, evidence: string, code: string | undefined) => Promise<unknown>;
  failure: string;
  onClose: () => void;
};

/** Ends by the bank's evidence what the gateway does not know the end of. */
export function ResolveDialog<Outcome extends string>(props: ResolveDialogProps<Outcome>) {
  const { title, intro, endings, knownCode, onSend, failure, onClose } = props;
  const [chosen, setChosen] = useState(endings.length === 1 ? endings[0] : undefined);
  const [code, setCode] = useState(knownCode ?? '');
  const [unchosen, setUnchosen] = useState(false);
  return (
    <ReasonDialog
      title={title}
      label="Prova do banco"
      hint="O que o banco mostrou, com data e protocolo. Fica no registro de auditoria."
      least={10}
      most={1000}
      missing="Descreva a prova do banco."
      action="Encerrar"
      grave
      ready={() => {
        setUnchosen(chosen === undefined);
        return chosen !== undefined;
      }}
      onSend={async (evidence) => {
        const given = chosen?.code === undefined ? '' : code.trim();
        if (chosen !== undefined) await onSend(chosen.value, evidence, given === '' ? undefined : given);
      }}
      done={() => chosen?.done ?? ''}
      failure={failure}
      onClose={onClose}
    >
      <p className="text-muted">{intro}</p>
      {endings.length > 1 && (
        <SelectField
          label="Desfecho"
          error={unchosen ? 'Diga o que o banco mostrou.' : undefined}
          options={[{ value: '', label: 'Escolha' }, ...endings]}
          value={chosen?.value ?? ''}
          onChange={({ currentTarget }) => {
            setChosen(endings.find(({ value }) => value === currentTarget.value));
            setUnchosen(false);
          }}
        />
      )}
      {chosen?.code !== undefined && (
        <TextField
          label={`${chosen.code} (opcional)`}
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
