import { useState } from 'react';
import { fromDateTimeInput, toDateTimeInput } from '../../format/date.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { SelectField, TextField } from '../../ui/index.ts';
import { resendActions } from './webhooks-queries.ts';

const DAY_MS = 86_400_000;
/**
 * One press of the button makes at most this many calls, half of what the gateway allows in a minute. If deliveries are
 * left, the merchant presses it again.
 */
const MAX_CALLS = 10;

type ResendPeriodDialogProps = {
  /**
   * The receivers to choose from: each endpoint, and one for all callbacks, the URLs given with single charges and
   * withdrawals.
   */
  receivers: readonly { value: string; label: string }[];
  /** The receiver that the list of deliveries is filtered by; it is preselected. */
  endpoint: string | undefined;
  onClose: () => void;
  onResent: (resent: number, skipped: number, hasMore: boolean) => void;
};

/** Resends all webhook deliveries that failed in a period, for example after an outage of the merchant's server. */
export function ResendPeriodDialog({ receivers, endpoint, onClose, onResent }: ResendPeriodDialogProps) {
  const [receiver, setReceiver] = useState(endpoint ?? receivers[0]?.value ?? '');
  const [from, setFrom] = useState(() => toDateTimeInput(new Date(Date.now() - DAY_MS).toISOString()));
  // The input has no seconds, so the period ends in the next minute to include the current one.
  const [to, setTo] = useState(() => toDateTimeInput(new Date(Date.now() + 60_000).toISOString()));
  const [problem, setProblem] = useState<string>();
  const submit = async () => {
    const fromMoment = fromDateTimeInput(from);
    const toMoment = fromDateTimeInput(to);
    if (fromMoment === null || toMoment === null || fromMoment >= toMoment) {
      setProblem('O início vem antes do fim.');
      return false;
    }
    setProblem(undefined);
    const { resent, skipped, hasMore } = await resendAll(receiver, fromMoment, toMoment);
    onResent(resent, skipped, hasMore);
    return true;
  };
  return (
    <FormDialog
      title="Reenviar o que falhou"
      submit="Reenviar"
      size="normal"
      failure="Erro ao reenviar. Tente novamente."
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">
        O que foi dado por perdido neste período vai de novo, com o mesmo webhook-id. O que já foi entregue em
        outro reenvio fica de fora.
      </p>
      <SelectField
        label="Endereço"
        className="[&_select]:min-w-0 [&_select]:text-ellipsis"
        options={receivers}
        value={receiver}
        onChange={(event) => setReceiver(event.currentTarget.value)}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 md:grid-cols-2">
        <TextField
          label="De"
          type="datetime-local"
          hint="Horário de Brasília."
          value={from}
          onChange={(event) => {
            setFrom(event.currentTarget.value);
            setProblem(undefined);
          }}
          error={problem}
        />
        <TextField
          label="Até"
          type="datetime-local"
          value={to}
          onChange={(event) => {
            setTo(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
      </div>
    </FormDialog>
  );
}

type ResendResult = { resent: number; skipped: number; hasMore: boolean };

/** Resends in several calls. Each call starts at the time of the last delivery that the previous call examined. */
async function resendAll(endpoint: string, from: string, to: string): Promise<ResendResult> {
  let resent = 0;
  let skipped = 0;
  let nextFrom = from;
  for (let callCount = 0; callCount < MAX_CALLS; callCount += 1) {
    const response = await resendActions.many({ endpoint, from: nextFrom, to, state: 'failed' });
    resent += response.resent;
    skipped += response.skipped;
    if (!response.has_more) return { resent, skipped, hasMore: false };
    // If the call examined only deliveries from its start time, the next call would examine the same ones again.
    if (response.last_at === null || response.last_at === nextFrom) break;
    nextFrom = response.last_at;
  }
  return { resent, skipped, hasMore: true };
}
