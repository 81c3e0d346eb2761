import type { DebitAccount } from '@jangada/contract';
import { SelectField, TextField } from '../../ui/index.ts';

/** The account as it is typed. Without a number there is none. */
export type DebitAccountDraft = {
  readonly type: DebitAccount['type'];
  readonly branch: string;
  readonly number: string;
};

export const emptyDebitAccount: DebitAccountDraft = { type: 'checking', branch: '', number: '' };

export const debitAccountTypes: Readonly<Record<DebitAccount['type'], string>> = {
  checking: 'Conta corrente',
  savings: 'Conta poupança',
  payment: 'Conta de pagamento',
};

/** The account as it is sent; a branch that was typed alone is sent too, so that the missing number is told. */
export function debitAccountFrom({ type, branch, number }: DebitAccountDraft): DebitAccount {
  return { type, number, ...(branch.trim() !== '' && { branch }) };
}

type DebitAccountFieldsProps = {
  draft: DebitAccountDraft;
  problems: { readonly [Field in keyof DebitAccountDraft]?: string | undefined };
  onChange: (draft: DebitAccountDraft) => void;
  /** True when the first of these fields gets the focus of its dialog. */
  isFirst?: boolean;
};

const digits = { autoComplete: 'off', inputMode: 'numeric' } as const;

/** The fields for the account into which debits by mandate are paid. */
export function DebitAccountFields({ draft, problems, onChange, isFirst = false }: DebitAccountFieldsProps) {
  return (
    <>
      <SelectField
        label="Tipo da conta"
        name="debit_type"
        data-autofocus={isFirst || undefined}
        options={Object.entries(debitAccountTypes).map(([value, label]) => ({ value, label }))}
        value={draft.type}
        error={problems.type}
        onChange={(event) =>
          onChange({ ...draft, type: event.currentTarget.value as DebitAccountDraft['type'] })
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] items-start gap-3">
        <TextField
          label="Agência"
          name="debit_branch"
          hint="Sem dígito."
          {...digits}
          maxLength={4}
          value={draft.branch}
          error={problems.branch}
          onChange={(event) => onChange({ ...draft, branch: event.currentTarget.value })}
        />
        <TextField
          label="Conta"
          name="debit_number"
          hint="Com o dígito, sem traço."
          {...digits}
          maxLength={20}
          value={draft.number}
          error={problems.number}
          onChange={(event) => onChange({ ...draft, number: event.currentTarget.value })}
        />
      </div>
    </>
  );
}
