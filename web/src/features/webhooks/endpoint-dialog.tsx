import { type EventType, eventTypeTexts, WEBHOOK_LIMITS, type WebhookEndpoint } from '@jangada/contract';
import { useId, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { Code, FieldNote, SegmentedControl, TextField } from '../../ui/index.ts';
import { bodyOf, draftOf, type EndpointDraft, type EndpointProblems, problemsOf } from './endpoint-draft.ts';
import { eventGroups, eventLabel } from './event-words.ts';

type EndpointDialogProps = {
  /** The endpoint being changed; null for a new one. */
  endpoint: WebhookEndpoint | null;
  onClose: () => void;
  onSend: (body: ReturnType<typeof bodyOf>) => Promise<unknown>;
};

/** Adds or changes a webhook endpoint: its URL, its description and the events it receives. */
export function EndpointDialog({ endpoint, onClose, onSend }: EndpointDialogProps) {
  const [draft, setDraft] = useState<EndpointDraft>(() => draftOf(endpoint));
  const [problems, setProblems] = useState<EndpointProblems>({});
  const change = (fields: Partial<EndpointDraft>) => {
    setDraft((previous) => ({ ...previous, ...fields }));
    // Editing a field clears its error until the next submit.
    const isUrlEdited = fields.url !== undefined;
    const areEventsEdited = fields.scope !== undefined || fields.events !== undefined;
    setProblems(({ url, events }) => ({
      ...(url !== undefined && !isUrlEdited && { url }),
      ...(events !== undefined && !areEventsEdited && { events }),
    }));
  };
  const submit = async () => {
    const newProblems = problemsOf(draft);
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    try {
      await onSend(bodyOf(draft));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'INVALID_CALLBACK_URL')) throw error;
      setProblems({ url: error.serverMessage ?? 'Este endereço não pode receber webhooks.' });
    }
    // False keeps this dialog open after an error. After a success, `onSend` has already closed it, or replaced it with
    // the dialog that shows the new secret.
    return false;
  };
  return (
    <FormDialog
      title={endpoint === null ? 'Adicionar endereço' : 'Alterar endereço'}
      submit={endpoint === null ? 'Adicionar' : 'Salvar'}
      size="normal"
      failure={
        endpoint === null
          ? 'Erro ao adicionar o endereço. Tente novamente.'
          : 'Erro ao alterar o endereço. Tente novamente.'
      }
      inDoubtMessage={
        endpoint === null
          ? 'Não sabemos se o endereço foi adicionado. Confira a lista antes de tentar de novo.'
          : undefined
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <EndpointFields draft={draft} onChange={change} problems={problems} />
    </FormDialog>
  );
}

type EndpointFieldsProps = {
  draft: EndpointDraft;
  onChange: (fields: Partial<EndpointDraft>) => void;
  problems: EndpointProblems;
};

function EndpointFields({ draft, onChange, problems }: EndpointFieldsProps) {
  return (
    <>
      <TextField
        label="Endereço (URL)"
        hint="Uma rota do seu servidor que aceita POST e responde 200 assim que guardou o aviso."
        data-autofocus
        type="url"
        inputMode="url"
        placeholder="https://sualoja.com.br/webhooks"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={WEBHOOK_LIMITS.urlMaxLength}
        value={draft.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        error={problems.url}
      />
      <TextField
        label="Descrição (opcional)"
        hint="Só você a vê: “Loja online”, “ERP”."
        maxLength={WEBHOOK_LIMITS.descriptionMaxLength}
        value={draft.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <SegmentedControl
        label="Eventos"
        labelShown
        size="normal"
        block
        segments={[
          { value: 'all', label: 'Todos' },
          { value: 'some', label: 'Escolher' },
        ]}
        value={draft.scope}
        onChange={(scope) => onChange({ scope: scope === 'some' ? 'some' : 'all' })}
        {...(draft.scope === 'all' && {
          hint: 'Também os que vierem a existir. Seu código ignora os que não conhece.',
        })}
      />
      {draft.scope === 'some' && (
        <EventChoice
          selected={draft.events}
          onSelect={(events) => onChange({ events })}
          error={problems.events}
        />
      )}
    </>
  );
}

type EventChoiceProps = {
  selected: readonly EventType[];
  onSelect: (selected: readonly EventType[]) => void;
  error: string | undefined;
};

function EventChoice({ selected, onSelect, error }: EventChoiceProps) {
  const noteId = useId();
  return (
    <div>
      <div className="grid grid-cols-1 gap-5">
        {eventGroups.map(({ label, types }) => (
          <fieldset key={label} aria-describedby={noteId}>
            <legend className="font-label">{label}</legend>
            <div className="mt-1.5 divide-y divide-base-300 rounded-field border border-base-300">
              {types.map((type) => (
                <label key={type} className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2">
                  <input
                    type="checkbox"
                    className="size-5 shrink-0 cursor-pointer accent-primary"
                    checked={selected.includes(type)}
                    onChange={(event) => {
                      const otherTypes = selected.filter((selectedType) => selectedType !== type);
                      onSelect(event.currentTarget.checked ? [...otherTypes, type] : otherTypes);
                    }}
                  />
                  <span className="min-w-0 grow">
                    <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                      <span className="font-medium">{eventLabel(type)}</span>
                      <Code className="text-muted">{type}</Code>
                    </span>
                    <span className="block text-xs text-muted">{eventTypeTexts[type]}</span>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <FieldNote id={noteId} error={error} />
    </div>
  );
}
