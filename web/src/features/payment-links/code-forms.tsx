import { brlFromCents, COUNTER_CODE_LIMITS, type CounterCode, centsFromText } from '@jangada/contract';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { chargeAmountProblem } from '../../panel/charge/amount-problem.ts';
import {
  ConfirmDiscardForm,
  isStaleVersionError,
  StaleNotice,
} from '../../panel/confirm/confirm-discard-form.tsx';
import { MoneyField, TextField } from '../../ui/index.ts';
import { useChargeRules } from './link-form.tsx';
import { counterCodeActions } from './offers-queries.ts';

type CodeProblems = { readonly name?: string; readonly amount?: string };

function nameProblem(name: string): CodeProblems {
  return name.trim() === '' ? { name: 'Informe um nome.' } : {};
}

type NewCodeFormProps = { onClose: () => void; onSaved: (code: CounterCode) => void };

/**
 * Creates a counter code, a QR code for printing that can be paid many times: asks for its name and, optionally,
 * for a fixed amount.
 */
export function NewCodeForm({ onClose, onSaved }: NewCodeFormProps) {
  const [name, setName] = useState('');
  const [cents, setCents] = useState<number | null>(null);
  const [problems, setProblems] = useState<CodeProblems>({});
  const rules = useChargeRules();
  const submit = async () => {
    const amountError = cents === null ? undefined : chargeAmountProblem(cents, rules);
    const newProblems = { ...nameProblem(name), ...(amountError !== undefined && { amount: amountError }) };
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    const amount = cents === null ? null : brlFromCents(cents);
    try {
      onSaved(await counterCodeActions.create({ name: name.trim(), amount }));
    } catch (error) {
      // A refused amount is shown at its field; the dialog shows every other error.
      if (!(error instanceof ApiError && error.code?.startsWith('AMOUNT_'))) throw error;
      setProblems({ amount: error.serverMessage ?? 'Confira o valor.' });
    }
    // After a success `onSaved` has already closed the form; after an error it stays open.
    return false;
  };
  return (
    <ConfirmDiscardForm
      title="Criar QR Code"
      submit="Criar QR Code"
      problems={problems}
      isEdited={name !== '' || cents !== null}
      failure="Erro ao criar o QR Code. Tente novamente."
      inDoubtMessage="Não sabemos se o QR Code foi criado. Confira a lista antes de tentar de novo."
      onClose={onClose}
      onSubmit={submit}
    >
      <NameField
        name={name}
        error={problems.name}
        onName={(newName) => {
          setName(newName);
          // Editing a field clears its error until the next submit.
          setProblems(({ name: _, ...others }) => others);
        }}
      />
      <MoneyField
        label="Valor (opcional)"
        size="normal"
        hint="Em branco, quem paga digita o valor. O valor fica no código impresso e não muda depois."
        cents={cents}
        readAmount={centsFromText}
        error={problems.amount}
        onCents={(newCents) => {
          setCents(newCents);
          setProblems(({ amount: _, ...others }) => others);
        }}
      />
    </ConfirmDiscardForm>
  );
}

type ChangeCodeFormProps = NewCodeFormProps & {
  code: CounterCode;
  /** Refetches the code after somebody else changed it. */
  onReload: (code: CounterCode) => Promise<unknown>;
};

/** Renames a counter code. Only the name can change, because everything else is part of the printed QR code. */
export function ChangeCodeForm({ code, onClose, onSaved, onReload }: ChangeCodeFormProps) {
  const [name, setName] = useState(code.name);
  const [problems, setProblems] = useState<CodeProblems>({});
  const [isStale, setIsStale] = useState(false);
  const submit = async () => {
    setIsStale(false);
    const newProblems = nameProblem(name);
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    try {
      onSaved(await counterCodeActions.change(code, { name: name.trim(), active: code.active }));
    } catch (error) {
      if (!isStaleVersionError(error)) throw error;
      setIsStale(true);
    }
    // After a success `onSaved` has already closed the form; after an error it stays open.
    return false;
  };
  return (
    <ConfirmDiscardForm
      title="Editar QR Code"
      submit="Salvar"
      problems={problems}
      isEdited={name !== code.name}
      failure="Erro ao salvar o QR Code. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      {isStale && (
        <StaleNotice onReload={() => onReload(code)}>
          Este QR Code foi alterado enquanto isso. Recarregue para ver como ele está e altere de novo.
        </StaleNotice>
      )}
      <NameField
        name={name}
        error={problems.name}
        onName={(newName) => {
          setName(newName);
          setProblems({});
        }}
      />
    </ConfirmDiscardForm>
  );
}

type NameFieldProps = { name: string; error: string | undefined; onName: (name: string) => void };

function NameField({ name, error, onName }: NameFieldProps) {
  return (
    <TextField
      label="Nome"
      hint={`Onde ele fica: “Caixa 1”, “Mesa 4”, “Balcão da feira”. Até ${COUNTER_CODE_LIMITS.nameMaxLength} caracteres.`}
      data-autofocus
      autoComplete="off"
      maxLength={COUNTER_CODE_LIMITS.nameMaxLength}
      value={name}
      error={error}
      onChange={(event) => onName(event.currentTarget.value)}
    />
  );
}
