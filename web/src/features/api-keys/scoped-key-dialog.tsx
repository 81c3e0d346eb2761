import {
  type BodyInput,
  type Scope,
  type ScopedKey,
  scopes,
  scopeTexts,
  type updateScopedKey,
} from '@jangada/contract';
import { useId, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { dayOf } from '../../format/date.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { FieldNote, SelectField, TextArea, TextField } from '../../ui/index.ts';
import {
  bodyOf,
  draftOf,
  expiryOptions,
  type KeyDraft,
  type KeyProblems,
  problemsOf,
} from './scoped-key-draft.ts';

type ScopedKeyDialogProps = {
  /** The key being changed; null for a new one. */
  of: ScopedKey | null;
  onClose: () => void;
  onSend: (body: BodyInput<typeof updateScopedKey>) => Promise<unknown>;
};

/** A key's name, permissions, expiry and allowed addresses. */
export function ScopedKeyDialog({ of, onClose, onSend }: ScopedKeyDialogProps) {
  const [draft, setDraft] = useState<KeyDraft>(() => draftOf(of));
  const [problems, setProblems] = useState<KeyProblems>({});
  const change = (fields: Partial<KeyDraft>) => {
    setDraft((before) => ({ ...before, ...fields }));
    // Editing a field clears its error until the next submit.
    const touched = Object.keys(fields);
    setProblems((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !touched.includes(field))),
    );
  };
  const submit = async () => {
    const found = problemsOf(draft, dayOf(new Date()));
    setProblems(found);
    if (Object.keys(found).length > 0) return false;
    try {
      await onSend(bodyOf(draft, of, Date.now()));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'KEY_ADDRESS_INVALID')) throw error;
      setProblems({ addresses: error.serverMessage ?? 'Um dos endereços não é um IP nem uma rede CIDR.' });
    }
    // The parent has closed the dialog, or shows the key in its place.
    return false;
  };
  return (
    <FormDialog
      title={of === null ? 'Criar chave' : 'Alterar chave'}
      submit={of === null ? 'Criar chave' : 'Salvar'}
      size="normal"
      failure={
        of === null ? 'Erro ao criar a chave. Tente novamente.' : 'Erro ao alterar a chave. Tente novamente.'
      }
      inDoubt={
        of === null
          ? 'Não sabemos se a chave foi criada. Confira a lista: se ela estiver lá, revogue-a e crie outra.'
          : undefined
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <ScopedKeyFields draft={draft} onChange={change} problems={problems} of={of} />
    </FormDialog>
  );
}

type ScopedKeyFieldsProps = {
  draft: KeyDraft;
  onChange: (fields: Partial<KeyDraft>) => void;
  problems: KeyProblems;
  of: ScopedKeyDialogProps['of'];
};

function ScopedKeyFields({ draft, onChange, problems, of }: ScopedKeyFieldsProps) {
  return (
    <>
      <TextField
        label="Nome do sistema"
        hint="Só você o vê: “Loja online”, “ERP”, “Conciliação”."
        data-autofocus
        maxLength={60}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={problems.name}
      />
      <ScopeChoice
        chosen={draft.scopes}
        onChosen={(chosen) => onChange({ scopes: chosen })}
        error={problems.scopes}
      />
      <div className="grid gap-5 md:grid-cols-2">
        <SelectField
          label="Vence"
          options={expiryOptions(of)}
          value={draft.expiry}
          onChange={(event) => onChange({ expiry: event.currentTarget.value })}
          {...(draft.expiry !== 'date' && { className: 'md:col-span-2', hint: 'Avisamos 7 dias antes.' })}
        />
        {draft.expiry === 'date' && (
          <TextField
            label="Até o fim do dia"
            type="date"
            min={dayOf(new Date())}
            value={draft.date}
            onChange={(event) => onChange({ date: event.currentTarget.value })}
            error={problems.date}
          />
        )}
      </div>
      <TextArea
        label="Só a partir destes endereços IP (opcional)"
        hint="Um por linha: endereços ou redes (CIDR), IPv4 ou IPv6. Em branco, a chave vale de qualquer lugar."
        rows={3}
        className="[&_textarea]:font-mono [&_textarea]:text-xs"
        spellCheck={false}
        autoCapitalize="none"
        value={draft.addresses}
        onChange={(event) => onChange({ addresses: event.currentTarget.value })}
        error={problems.addresses}
      />
    </>
  );
}

type ScopeChoiceProps = {
  chosen: readonly Scope[];
  onChosen: (chosen: readonly Scope[]) => void;
  error: string | undefined;
};

function ScopeChoice({ chosen, onChosen, error }: ScopeChoiceProps) {
  const note = useId();
  return (
    <fieldset aria-describedby={note}>
      <legend className="font-label">O que ela pode fazer</legend>
      <div className="mt-1.5 divide-y divide-base-300 rounded-field border border-base-300">
        {scopes.map((scope) => (
          <label key={scope} className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2">
            <input
              type="checkbox"
              className="size-5 shrink-0 cursor-pointer accent-primary"
              checked={chosen.includes(scope)}
              onChange={(event) => {
                const others = chosen.filter((other) => other !== scope);
                onChosen(event.currentTarget.checked ? [...others, scope] : others);
              }}
            />
            <span className="min-w-0">
              <span className="block font-medium">{scopeTexts[scope].label}</span>
              <span className="block text-xs text-muted">{scopeTexts[scope].sentence}</span>
            </span>
          </label>
        ))}
      </div>
      <FieldNote id={note} error={error} />
    </fieldset>
  );
}
