import { brlFromCents, COUNTER_CODES, type CounterCode, centsFromText } from '@jangada/contract';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { amountProblem } from '../../panel/charge/amount-problem.ts';
import { MoneyField, TextField } from '../../ui/index.ts';
import { GuardedForm, isStale, StaleNotice } from './guarded-form.tsx';
import { useChargeRules } from './link-form.tsx';
import { codeActions } from './offers-queries.ts';

type CodeProblems = { readonly name?: string; readonly amount?: string };

function nameProblem(name: string): CodeProblems {
  return name.trim() === '' ? { name: 'Informe um nome.' } : {};
}

type NewCodeFormProps = { onClose: () => void; onSaved: (code: CounterCode) => void };

/** The name of a new counter code, and its amount if it has one. */
export function NewCodeForm({ onClose, onSaved }: NewCodeFormProps) {
  const [name, setName] = useState('');
  const [cents, setCents] = useState<number | null>(null);
  const [problems, setProblems] = useState<CodeProblems>({});
  const rules = useChargeRules();
  const submit = async () => {
    const amountError = cents === null ? undefined : amountProblem(cents, rules);
    const found = { ...nameProblem(name), ...(amountError !== undefined && { amount: amountError }) };
    setProblems(found);
    if (Object.keys(found).length > 0) return false;
    const amount = cents === null ? null : brlFromCents(cents);
    try {
      onSaved(await codeActions.create({ name: name.trim(), amount }));
    } catch (error) {
      if (!(error instanceof ApiError && error.code?.startsWith('AMOUNT_'))) throw error;
      setProblems({ amount: error.serverMessage ?? 'Confira o valor.' });
    }
    return false;
  };
  return (
    <GuardedForm
      title="Criar QR Code"
      submit="Criar QR Code"
      problems={problems}
      edited={name !== '' || cents !== null}
      failure="Erro ao criar o QR Code. Tente novamente."
      inDoubt="Não sabemos se o QR Code foi criado. Confira a lista antes de tentar de novo."
      onClose={onClose}
      onSubmit={submit}
    >
      <NameField
        name={name}
        error={problems.name}
        onName={(next) => {
          setName(next);
          setProblems(({ amount: kept }) => (kept === undefined ? {} : { amount: kept }));
        }}
      />
      <MoneyField
        label="Valor (opcional)"
        size="normal"
        hint="Em branco, quem paga digita o valor. O valor fica no código impresso e não muda depois."
        cents={cents}
        readAmount={centsFromText}
        error={problems.amount}
        onCents={(next) => {
          setCents(next);
          setProblems(({ name: kept }) => (kept === undefined ? {} : { name: kept }));
        }}
      />
    </GuardedForm>
  );
}

type ChangeCodeFormProps = NewCodeFormProps & {
  of: CounterCode;
  /** Refetches the code after somebody else changed it. */
  onReload: (code: CounterCode) => Promise<unknown>;
};

/** Only the name can change, because everything else is in the printed code. */
export function ChangeCodeForm({ of, onClose, onSaved, onReload }: ChangeCodeFormProps) {
  const [name, setName] = useState(of.name);
  const [problems, setProblems] = useState<CodeProblems>({});
  const [stale, setStale] = useState(false);
  const submit = async () => {
    setStale(false);
    const found = nameProblem(name);
    setProblems(found);
    if (Object.keys(found).length > 0) return false;
    try {
      onSaved(await codeActions.change(of, { name: name.trim(), active: of.active }));
    } catch (error) {
      if (!isStale(error)) throw error;
      setStale(true);
    }
    return false;
  };
  return (
    <GuardedForm
      title="Editar QR Code"
      submit="Salvar"
      problems={problems}
      edited={name !== of.name}
      failure="Erro ao salvar o QR Code. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      {stale && (
        <StaleNotice onReload={() => onReload(of)}>
          Este QR Code foi alterado enquanto isso. Recarregue para ver como ele está e altere de novo.
        </StaleNotice>
      )}
      <NameField
        name={name}
        error={problems.name}
        onName={(next) => {
          setName(next);
          setProblems({});
        }}
      />
    </GuardedForm>
  );
}

type NameFieldProps = { name: string; error: string | undefined; onName: (name: string) => void };

function NameField({ name, error, onName }: NameFieldProps) {
  return (
    <TextField
      label="Nome"
      hint={`Onde ele fica: “Caixa 1”, “Mesa 4”, “Balcão da feira”. Até ${COUNTER_CODES.nameMaxLength} caracteres.`}
      data-autofocus
      autoComplete="off"
      maxLength={COUNTER_CODES.nameMaxLength}
      value={name}
      error={error}
      onChange={(event) => onName(event.currentTarget.value)}
    />
  );
}
