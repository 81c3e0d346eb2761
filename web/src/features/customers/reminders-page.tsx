import { REMINDER_LIMITS, type ReminderSettings, reminderPlaceholders } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { settingsQuery } from '../../api/queries.ts';
import { isStaleVersionError, StaleNotice } from '../../panel/confirm/confirm-discard-form.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import {
  Button,
  FieldNote,
  LoadingRegion,
  Notice,
  Skeleton,
  TextArea,
  TextField,
  toast,
} from '../../ui/index.ts';
import { AuthorizationRequests } from './authorization-requests.tsx';
import { CustomersHeader } from './customers-header.tsx';
import { remindersQuery, saveReminders } from './customers-queries.ts';
import { FailedDebits } from './failed-debits.tsx';
import { Switch } from './switched-mail.tsx';

/** When and with which words customers get mails about due dates and subscriptions. */
export function RemindersPage() {
  const query = useQuery(remindersQuery);
  return (
    <>
      <CustomersHeader sentence="E-mails ao cliente sobre vencimentos, autorizações e débitos que falham, das 8h às 20h." />
      <NoMailNotice />
      {query.data !== undefined ? (
        // Another version resets the form.
        <RemindersForm key={query.data.version} settings={query.data} />
      ) : query.isError ? (
        <LoadFailure query={query} title="Erro ao buscar os lembretes" />
      ) : (
        <LoadingRegion>
          <Skeleton className="h-9 w-44" />
          <Skeleton className="mt-5 h-52 w-full max-w-160" />
        </LoadingRegion>
      )}
    </>
  );
}

function NoMailNotice() {
  const settings = useQuery(settingsQuery).data;
  if (settings === undefined || settings.mail) return null;
  return (
    <Notice tone="warning" title="Este gateway não envia e-mails." className="mb-5">
      Os lembretes ficam guardados e saem quando o operador configurar o envio.
    </Notice>
  );
}

/** The days that the screen offers, from the due date. An account may have others, chosen by nobody here. */
const offeredDays = [-7, -5, -3, -2, -1, 0, 1, 3, 5, 7, 15, 30];

function dayText(day: number): string {
  if (day === 0) return 'No dia';
  const count = Math.abs(day) === 1 ? '1 dia' : `${Math.abs(day)} dias`;
  return `${count} ${day < 0 ? 'antes' : 'depois'}`;
}

function RemindersForm({ settings }: { settings: ReminderSettings }) {
  const [draft, setDraft] = useState(settings);
  const [problem, setProblem] = useState<string>();
  const [isStale, setIsStale] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const change = (fields: Partial<ReminderSettings>) => setDraft((before) => ({ ...before, ...fields }));
  const daysProblem =
    draft.days.length === 0
      ? 'Escolha pelo menos um dia.'
      : draft.days.length > REMINDER_LIMITS.days
        ? `Escolha no máximo ${REMINDER_LIMITS.days} dias.`
        : undefined;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    setIsStale(false);
    if (daysProblem !== undefined) return;
    setIsSending(true);
    try {
      await saveReminders(draft);
      const { active, failed_debits: debits, authorization_requests: requests } = draft;
      const isOn = active || debits.active || debits.warns || requests.active;
      toast(isOn ? 'Lembretes salvos' : 'Lembretes salvos, e desligados');
    } catch (error) {
      if (isStaleVersionError(error)) setIsStale(true);
      else setProblem(errorText(error, 'Erro ao salvar os lembretes. Tente novamente.'));
    } finally {
      setIsSending(false);
    }
  };
  const { refetch } = useQuery(remindersQuery);
  return (
    <form onSubmit={save} className="grid max-w-160 gap-5" noValidate>
      {isStale && (
        <StaleNotice onReload={refetch}>
          Os lembretes foram alterados enquanto isso. Recarregue para ver como eles estão e altere de novo.
        </StaleNotice>
      )}
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      <Switch
        label="Enviar lembretes"
        hint="A clientes com e-mail, sobre cobranças com vencimento feitas para eles. Cada um pode parar os seus."
        isOn={draft.active}
        onChange={(active) => change({ active })}
      />
      <Days days={draft.days} error={daysProblem} onChange={(days) => change({ days })} />
      <TextField
        label="Assunto"
        value={draft.subject}
        maxLength={REMINDER_LIMITS.subjectMaxLength}
        onChange={(event) => change({ subject: event.currentTarget.value })}
      />
      <TextArea
        label="Texto"
        hint={`Entram no lugar: ${Object.entries(reminderPlaceholders)
          .map(([name, meaning]) => `{${name}}, ${meaning}`)
          .join('; ')}.`}
        value={draft.text}
        maxLength={REMINDER_LIMITS.textMaxLength}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <AuthorizationRequests
        mails={draft.authorization_requests}
        onChange={(fields) =>
          change({ authorization_requests: { ...draft.authorization_requests, ...fields } })
        }
      />
      <FailedDebits
        mails={draft.failed_debits}
        onChange={(fields) => change({ failed_debits: { ...draft.failed_debits, ...fields } })}
      />
      <div>
        <Button type="submit" variant="primary" isSending={isSending} sendingLabel="Salvando">
          Salvar
        </Button>
      </div>
    </form>
  );
}

type DaysProps = {
  days: readonly number[];
  error: string | undefined;
  onChange: (days: number[]) => void;
};

function Days({ days, error, onChange }: DaysProps) {
  const choices = [...new Set([...offeredDays, ...days])].sort((left, right) => left - right);
  return (
    <fieldset>
      <legend className="mb-1.5 font-label">Quando, em relação ao vencimento</legend>
      <div className="grid grid-cols-2 gap-x-4 md:grid-cols-4">
        {choices.map((day) => (
          <label key={day} className="flex min-h-11 cursor-pointer items-center gap-2 md:min-h-9">
            <input
              type="checkbox"
              className="size-4.5 shrink-0 cursor-pointer accent-primary"
              checked={days.includes(day)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...days, day] : days.filter((other) => other !== day))
              }
            />
            {dayText(day)}
          </label>
        ))}
      </div>
      <FieldNote
        id="reminder-days-note"
        hint={`Até ${REMINDER_LIMITS.days} dias, um e-mail em cada um. Quem pagou não recebe mais.`}
        error={error}
      />
    </fieldset>
  );
}
