import { adminRecordBankMovement, brlFromCents, centsFromText } from '@jangada/contract';
import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { fromDateTimeInput } from '../../format/date.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { type MovementKind, movementNames } from '../../panel/operation/movement-names.ts';
import { MoneyField, SelectField, TextField, toast } from '../../ui/index.ts';
import { refetchAdminLists } from './admin-queries.ts';

const kinds: readonly MovementKind[] = ['tariff', 'fees-taken', 'top-up'];
/** The meaning of each kind of movement, shown as the hint below the field. */
const meanings: Readonly<Record<MovementKind, string>> = {
  tariff: 'O que o banco cobrou da conta.',
  'fees-taken': 'O que a plataforma ganhou e você tirou da conta.',
  'top-up': 'O que você pôs na conta.',
};

const DESCRIPTION_MIN_LENGTH = 3;
const DESCRIPTION_MAX_LENGTH = 300;

/** The error of each invalid field. */
type Problems = { amount?: string; description?: string; happenedAt?: string };

/** The form that records a bank movement, that is, a change of the bank account other than a Pix. */
export function MovementDialog({ onClose }: { onClose: () => void }) {
  const form = useMovementForm();
  return (
    <FormDialog
      title="Registrar movimento do banco"
      submit="Registrar"
      size="normal"
      failure="Erro ao registrar o movimento. Tente novamente."
      onClose={onClose}
      onSubmit={form.submit}
    >
      <SelectField
        label="Movimento"
        hint={meanings[form.kind]}
        options={kinds.map((value) => ({ value, label: movementNames[value] }))}
        value={form.kind}
        onChange={({ currentTarget }) =>
          form.setKind(kinds.find((candidate) => candidate === currentTarget.value) ?? 'tariff')
        }
      />
      <MoneyField
        ref={form.amountField}
        label="Valor"
        name="amount"
        size="normal"
        cents={form.cents}
        readAmount={centsFromText}
        error={form.problems.amount}
        onCents={form.setCents}
      />
      <TextField
        label="Descrição"
        autoComplete="off"
        maxLength={DESCRIPTION_MAX_LENGTH}
        error={form.problems.description}
        hint="Como o extrato do banco o chama."
        value={form.description}
        onChange={(event) => form.setDescription(event.currentTarget.value)}
      />
      <TextField
        label="Quando (opcional)"
        type="datetime-local"
        error={form.problems.happenedAt}
        hint="Horário de Brasília. Vazio: agora."
        value={form.happenedAt}
        onChange={(event) => form.setHappenedAt(event.currentTarget.value)}
      />
      <p className="text-muted">Um movimento não se apaga: um engano se corrige com o movimento contrário.</p>
    </FormDialog>
  );
}

/**
 * The values of the form, their errors, and `submit`, which records the movement and returns true, or returns false
 * when a value is invalid.
 */
function useMovementForm() {
  const [kind, setKind] = useState<MovementKind>('tariff');
  const [cents, setCents] = useState<number | null>(null);
  const [description, setDescription] = useState('');
  const [happenedAt, setHappenedAt] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const amountField = useRef<HTMLInputElement>(null);

  const submit = async () => {
    const newProblems = problemsOf(cents, description, happenedAt);
    setProblems(newProblems);
    if (cents === null || Object.keys(newProblems).length > 0) {
      if (newProblems.amount !== undefined) amountField.current?.focus();
      return false;
    }
    const body = {
      kind,
      amount: brlFromCents(cents),
      description: description.trim(),
      happened_at: fromDateTimeInput(happenedAt) ?? undefined,
    };
    try {
      await call(adminRecordBankMovement, { body });
      toast('Movimento registrado.');
      return true;
    } finally {
      void refetchAdminLists();
    }
  };

  return {
    kind,
    setKind,
    cents,
    setCents,
    description,
    setDescription,
    happenedAt,
    setHappenedAt,
    problems,
    amountField,
    submit,
  };
}

function problemsOf(cents: number | null, description: string, happenedAt: string): Problems {
  return {
    ...((cents === null || cents <= 0) && { amount: 'Por favor, insira um valor válido.' }),
    ...(description.trim().length < DESCRIPTION_MIN_LENGTH && { description: 'Descreva o movimento.' }),
    ...(happenedAt !== '' && fromDateTimeInput(happenedAt) === null && { happenedAt: 'Informe dia e hora.' }),
  };
}
