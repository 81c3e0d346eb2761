import type { WebhookDeliveryDetail } from '@jangada/contract';
import { formatDateAtTime } from '../../format/date.ts';
import { CodeWell, Glyph, Spinner } from '../../ui/index.ts';
import { hintOf } from './delivery-words.ts';

/** The outcome of a delivery so far: the receiver's response in words, and what the merchant can do about it. */
export function DeliveryOutcome({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const lastAttempt = delivery.log.at(-1);
  if (delivery.state === 'held')
    return (
      <Line
        glyph="waiting"
        title="Espera por você."
        text="O endereço está desligado. Ligue-o, e ela é enviada."
      />
    );
  if (lastAttempt === undefined)
    return (
      <p className="flex items-center gap-2.5">
        <Spinner />
        <span>Esperando a resposta do seu servidor…</span>
      </p>
    );
  const duration = `em ${durationText(lastAttempt.duration_ms)}`;
  if (delivery.state === 'delivered')
    return (
      <Line
        glyph="done"
        title="Entregue."
        text={`Seu servidor respondeu ${lastAttempt.status ?? ''} ${duration}.`}
      />
    );
  const failure =
    lastAttempt.status === null
      ? (lastAttempt.error_text ?? 'Não houve resposta')
      : `Seu servidor respondeu ${lastAttempt.status} ${duration}`;
  const hint = hintOf(lastAttempt);
  return (
    <>
      <Line
        glyph="failed"
        title={delivery.state === 'failed' ? 'Não foi aceita.' : 'Ainda não foi aceita.'}
        // The text of an error may end with a full stop already.
        text={failure.endsWith('.') ? failure : `${failure}.`}
      />
      {hint !== undefined && <p className="mt-2 ml-7">{hint}</p>}
      {delivery.state === 'waiting' && delivery.next_attempt_at !== null && (
        <p className="mt-2 ml-7 text-muted">
          Tentamos de novo em {formatDateAtTime(delivery.next_attempt_at)}.
        </p>
      )}
    </>
  );
}

type LineProps = { glyph: 'done' | 'failed' | 'waiting'; title: string; text: string };

function Line({ glyph, title, text }: LineProps) {
  return (
    <p className="flex gap-2.5">
      <Glyph name={glyph} className="mt-0.5 size-4.5 shrink-0" />
      <span className="min-w-0">
        <strong className="font-strong">{title}</strong> {text}
      </span>
    </p>
  );
}

/** The beginning of the receiver's response body; `text` is null when there was no response. */
export function ReceiverResponse({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <div className="mt-3">
      <p className="mb-1 text-xs font-medium text-muted">Resposta do seu servidor</p>
      {text.trim() === '' ? (
        <p className="text-muted">Vazia.</p>
      ) : (
        <CodeWell label="Resposta do seu servidor">{text}</CodeWell>
      )}
    </div>
  );
}

/** Formats a duration: in milliseconds below one second, otherwise in seconds. */
export function durationText(durationMs: number): string {
  return durationMs < 1000
    ? `${durationMs}\u00a0ms`
    : `${(durationMs / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })}\u00a0s`;
}
