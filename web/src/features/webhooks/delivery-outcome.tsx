import type { WebhookDeliveryDetail } from '@jangada/contract';
import { formatDateAtTime } from '../../format/date.ts';
import { CodeWell, Glyph, Spinner } from '../../ui/index.ts';
import { hintOf } from './delivery-words.ts';

/** The outcome of a delivery so far: the response in words, and what to do about it. */
export function DeliveryOutcome({ of }: { of: WebhookDeliveryDetail }) {
  const last = of.log.at(-1);
  if (of.state === 'held')
    return (
      <Line
        glyph="waiting"
        title="Espera por você."
        text="O endereço está desligado. Ligue-o, e ela é enviada."
      />
    );
  if (last === undefined)
    return (
      <p className="flex items-center gap-2.5">
        <Spinner />
        <span>Esperando a resposta do seu servidor…</span>
      </p>
    );
  const took = `em ${millisecondsOf(last.duration_ms)}`;
  if (of.state === 'delivered')
    return (
      <Line glyph="done" title="Entregue." text={`Seu servidor respondeu ${last.status ?? ''} ${took}.`} />
    );
  const hint = hintOf(last);
  return (
    <>
      <Line
        glyph="failed"
        title={of.state === 'failed' ? 'Não foi aceita.' : 'Ainda não foi aceita.'}
        text={`${last.status === null ? (last.error_text ?? 'Não houve resposta') : `Seu servidor respondeu ${last.status} ${took}`}.`.replace(
          /\.\.$/,
          '.',
        )}
      />
      {hint !== undefined && <p className="mt-2 ml-7">{hint}</p>}
      {of.state === 'waiting' && of.next_attempt_at !== null && (
        <p className="mt-2 ml-7 text-muted">Tentamos de novo em {formatDateAtTime(of.next_attempt_at)}.</p>
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

/** The beginning of what the receiver answered. */
export function Answer({ text }: { text: string | null }) {
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

export function millisecondsOf(duration: number): string {
  return duration < 1000
    ? `${duration}\u00a0ms`
    : `${(duration / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })}\u00a0s`;
}
