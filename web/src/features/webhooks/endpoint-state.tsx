import type { WebhookEndpoint } from '@jangada/contract';
import { formatDateAtTime } from '../../format/date.ts';
import { StatusBadge } from '../../ui/index.ts';

export function EndpointState({ of: { state, failing_since } }: { of: WebhookEndpoint }) {
  if (state === 'off') return <StatusBadge status="gone">Desligado</StatusBadge>;
  return failing_since === null ? (
    <StatusBadge status="done">Ligado</StatusBadge>
  ) : (
    <StatusBadge status="failed">Falhando</StatusBadge>
  );
}

/** Why an endpoint is not well, in a few words; undefined while it is. */
export function troubleOf({ state, off_reason, off_at, failing_since, failures }: WebhookEndpoint) {
  if (state === 'off') {
    const when = off_at === null ? '' : ` em ${formatDateAtTime(off_at)}`;
    if (off_reason === 'gone') return `Respondeu 410${when}`;
    return off_reason === 'failing' ? `Só falhava${when}` : `Por você${when}`;
  }
  if (failing_since === null) return undefined;
  return `${failures === 1 ? '1 falha' : `${failures} falhas`} desde ${formatDateAtTime(failing_since)}`;
}
