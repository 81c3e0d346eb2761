import { type EventType, eventTypeTexts, WEBHOOKS, type WebhookEndpoint } from '@jangada/contract';
import { useId, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { Code, FieldNote, SegmentedControl, TextField } from '../../ui/index.ts';
import { bodyOf, draftOf, type EndpointDraft, type EndpointProblems, problemsOf } from './endpoint-draft.ts';
import { eventGroups, eventWord } from './event-words.ts';

type EndpointDialogProps = {
  /** The endpoint being changed; null for a new one. */
  of: WebhookEndpoint | null;
  onClose: () => void;
  onSend: (body: ReturnType<typeof bodyOf>) => Promise<unknown>;
};

/** An endpoint's address, and the events it receives. */
export function EndpointDialog({ of, onClose, onSend }: EndpointDialogProps) {
  const [draft, setDraft] = useState<EndpointDraft>(() => draftOf(of));
  const [problems, setProblems] = useState<EndpointProblems>({});
  const change = (fields: Partial<EndpointDraft>) => {
    setDraft((before) => ({ ...before, ...fields }));
    // Editing a field clears its error until the next submit.
    setProblems(({ url, events }) => ({
      ...(url !== undefined && fields.url === undefined && { url }),
      ...(events !== undefined && fields.every === undefined && fields.events === undefined && { events }),
    }));
  };
  const submit = async () => {
    const found = problemsOf(draft);
    setProblems(found);
    if (Object.keys(found).length > 0) return false;
    try {
      await onSend(bodyOf(draft));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'INVALID_CALLBACK_URL')) throw error;
      setProblems({ url: error.serverMessage ?? 'Este endereço não pode receber webhooks.' });
    }
    // The parent has closed the dialog, or shows the secret in its place.
    return false;
  };
  return (
    <FormDialog
      title={of === null ? 'Adicionar endereço' : 'Alterar endereço'}
      submit={of === null ? 'Adicionar' : 'Salvar'}
      size="normal"
      failure={
        of === null
          ? 'Erro ao adicionar o endereço. Tente novamente.'
          : 'Erro ao alterar o endereço. Tente novamente.'
      }
      inDoubt={
        of === null
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
        maxLength={WEBHOOKS.urlMaxLength}
        value={draft.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        error={problems.url}
      />
      <TextField
        label="Descrição (opcional)"
        hint="Só você a vê: “Loja online”, “ERP”."
        maxLength={WEBHOOKS.descriptionMaxLength}
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
        value={draft.every}
        onChange={(every) => onChange({ every: every === 'some' ? 'some' : 'all' })}
        {...(draft.every === 'all' && {
          hint: 'Também os que vierem a existir. Seu código ignora os que não conhece.',
        })}
      />
      {draft.every === 'some' && (
        <EventChoice
          chosen={draft.events}
          onChosen={(events) => onChange({ events })}
          error={problems.events}
        />
      )}
    </>
  );
}

type EventChoiceProps = {
  chosen: readonly EventType[];
  onChosen: (chosen: readonly EventType[]) => void;
  error: string | undefined;
};

function EventChoice({ chosen, onChosen, error }: EventChoiceProps) {
  const note = useId();
  return (
    <div>
      <div className="grid grid-cols-1 gap-5">
        {eventGroups.map(({ label, types }) => (
          <fieldset key={label} aria-describedby={note}>
            <legend className="font-label">{label}</legend>
            <div className="mt-1.5 divide-y divide-base-300 rounded-field border border-base-300">
              {types.map((type) => (
                <label key={type} className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2">
                  <input
                    type="checkbox"
                    className="size-5 shrink-0 cursor-pointer accent-primary"
                    checked={chosen.includes(type)}
                    onChange={(event) => {
                      const others = chosen.filter((other) => other !== type);
                      onChosen(event.currentTarget.checked ? [...others, type] : others);
                    }}
                  />
                  <span className="min-w-0 grow">
                    <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                      <span className="font-medium">{eventWord(type)}</span>
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
      <FieldNote id={note} error={error} />
    </div>
  );
}
