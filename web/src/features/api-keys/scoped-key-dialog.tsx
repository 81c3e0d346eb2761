import {
  type BodyInput,
  moneyScopes,
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
import { memberRoleOf } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
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
  /** The key to change; null to create one. */
  scopedKey: ScopedKey | null;
  onClose: () => void;
  onSend: (body: BodyInput<typeof updateScopedKey>) => Promise<unknown>;
};

/**
 * The form that creates or changes a scoped key, the API key of one system: its name, scopes, expiry and allowed IP
 * addresses.
 */
export function ScopedKeyDialog({ scopedKey, onClose, onSend }: ScopedKeyDialogProps) {
  const [draft, setDraft] = useState<KeyDraft>(() => draftOf(scopedKey));
  const [problems, setProblems] = useState<KeyProblems>({});
  const change = (fields: Partial<KeyDraft>) => {
    setDraft((previous) => ({ ...previous, ...fields }));
    // Editing a field clears its error until the next submit.
    const editedFields = Object.keys(fields);
    setProblems((previous) =>
      Object.fromEntries(Object.entries(previous).filter(([field]) => !editedFields.includes(field))),
    );
  };
  const submit = async () => {
    const newProblems = problemsOf(draft, dayOf(new Date()));
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    try {
      await onSend(bodyOf(draft, scopedKey, Date.now()));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'KEY_ADDRESS_INVALID')) throw error;
      setProblems({ addresses: error.serverMessage ?? 'Um dos endereços não é um IP nem uma rede CIDR.' });
    }
    // False keeps this dialog open: after an error the user can correct the form, and after a success the parent closes
    // the dialog, or replaces it with the dialog that shows the new key.
    return false;
  };
  return (
    <FormDialog
      title={scopedKey === null ? 'Criar chave' : 'Alterar chave'}
      submit={scopedKey === null ? 'Criar chave' : 'Salvar'}
      size="normal"
      failure={
        scopedKey === null
          ? 'Erro ao criar a chave. Tente novamente.'
          : 'Erro ao alterar a chave. Tente novamente.'
      }
      inDoubtMessage={
        scopedKey === null
          ? 'Não sabemos se a chave foi criada. Confira a lista: se ela estiver lá, revogue-a e crie outra.'
          : undefined
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <ScopedKeyFields draft={draft} onChange={change} problems={problems} scopedKey={scopedKey} />
    </FormDialog>
  );
}

type ScopedKeyFieldsProps = {
  draft: KeyDraft;
  onChange: (fields: Partial<KeyDraft>) => void;
  problems: KeyProblems;
  scopedKey: ScopedKeyDialogProps['scopedKey'];
};

function ScopedKeyFields({ draft, onChange, problems, scopedKey }: ScopedKeyFieldsProps) {
  return (
    <>
      <TextField
        label="Nome do sistema"
        hint="Para reconhecê-la na lista da conta: “Loja online”, “ERP”, “Conciliação”."
        data-autofocus
        maxLength={60}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={problems.name}
      />
      <ScopeChoice
        selectedScopes={draft.scopes}
        onSelect={(selectedScopes) => onChange({ scopes: selectedScopes })}
        error={problems.scopes}
      />
      <div className="grid gap-5 md:grid-cols-2">
        <SelectField
          label="Vence"
          options={expiryOptions(scopedKey)}
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
  selectedScopes: readonly Scope[];
  onSelect: (selectedScopes: readonly Scope[]) => void;
  error: string | undefined;
};

/** The choice of scopes, that is, of what the key may do. */
function ScopeChoice({ selectedScopes, onSelect, error }: ScopeChoiceProps) {
  const noteId = useId();
  const handlesMoney = useSession(memberRoleOf) === 'owner';
  const offeredScopes = handlesMoney ? scopes : scopes.filter((scope) => !moneyScopes.includes(scope));
  return (
    <fieldset aria-describedby={noteId}>
      <legend className="font-label">O que ela pode fazer</legend>
      <div className="mt-1.5 divide-y divide-base-300 rounded-field border border-base-300">
        {offeredScopes.map((scope) => (
          <label key={scope} className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2">
            <input
              type="checkbox"
              className="size-5 shrink-0 cursor-pointer accent-primary"
              checked={selectedScopes.includes(scope)}
              onChange={(event) => {
                const otherScopes = selectedScopes.filter((candidate) => candidate !== scope);
                onSelect(event.currentTarget.checked ? [...otherScopes, scope] : otherScopes);
              }}
            />
            <span className="min-w-0">
              <span className="block font-medium">{scopeTexts[scope].label}</span>
              <span className="block text-xs text-muted">{scopeTexts[scope].sentence}</span>
            </span>
          </label>
        ))}
      </div>
      <FieldNote id={noteId} error={error} />
    </fieldset>
  );
}
