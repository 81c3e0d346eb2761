import { type ScopedKey, scopeTexts } from '@jangada/contract';
import type { ReactNode } from 'react';
import { formatDate, formatDateAtTime, formatRelative, formatTimeLeft } from '../../format/date.ts';
import { makerText } from '../../panel/members/maker-text.ts';
import { Button, StatusBadge } from '../../ui/index.ts';

/** What the merchant can do with a scoped key. */
export type KeyAction = 'change' | 'rotate' | 'revoke';

type ScopedKeyRowProps = {
  scopedKey: ScopedKey;
  now: number;
  /** Absent for a key that the person's role does not handle. */
  onAction: ((action: KeyAction) => void) | undefined;
};

/**
 * A row of the list of scoped keys: the API key of one system of the merchant, with its scopes, last use, expiry,
 * allowed IP addresses and buttons.
 */
export function ScopedKeyRow({ scopedKey, now, onAction }: ScopedKeyRowProps) {
  const { name, masked, status } = scopedKey;
  return (
    <li className="grid gap-x-6 gap-y-3 py-4 lg:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          <span className="min-w-0 wrap-anywhere">{name}</span>
          <KeyStateBadge scopedKey={scopedKey} />
        </p>
        <code className="mt-0.5 block font-mono text-xs break-all text-muted">{masked}</code>
      </div>
      <div className="min-w-0">
        <ul aria-label={`Escopos da chave ${name}`} className="flex flex-wrap gap-1.5">
          {scopedKey.scopes.map((scope) => (
            <li key={scope} className="badge bg-grey-tint text-grey">
              {scopeTexts[scope].label}
            </li>
          ))}
        </ul>
        <p className="mt-1.5 text-xs wrap-anywhere text-muted">
          <JoinedParts
            parts={[
              lastUseText(scopedKey, now),
              <KeyExpiry key="end" scopedKey={scopedKey} now={now} />,
              allowedAddressesText(scopedKey),
              ...(scopedKey.made_by ? [`Criada por ${makerText(scopedKey.made_by)}`] : []),
            ]}
          />
        </p>
      </div>
      {onAction && (
        <div className="flex items-start gap-2 max-lg:*:grow max-[18rem]:flex-wrap">
          {status !== 'replaced' && (
            <>
              <KeyButton verb="Alterar" scopedKey={scopedKey} onClick={() => onAction('change')} />
              <KeyButton verb="Trocar" scopedKey={scopedKey} onClick={() => onAction('rotate')} />
            </>
          )}
          <KeyButton
            verb={status === 'expired' ? 'Remover' : 'Revogar'}
            scopedKey={scopedKey}
            danger
            onClick={() => onAction('revoke')}
          />
        </div>
      )}
    </li>
  );
}

type KeyButtonProps = { verb: string; scopedKey: ScopedKey; danger?: boolean; onClick: () => void };

function KeyButton({ verb, scopedKey, danger = false, onClick }: KeyButtonProps) {
  return (
    <Button
      size="small"
      variant={danger ? 'danger' : 'line'}
      aria-label={`${verb} a chave ${scopedKey.name}, ${scopedKey.masked}`}
      onClick={onClick}
    >
      {verb}
    </Button>
  );
}

/** The badge of a key that was replaced or has expired; nothing for a key in use. */
function KeyStateBadge({ scopedKey: { status } }: { scopedKey: ScopedKey }) {
  if (status === 'replaced') return <StatusBadge status="waiting">Trocada</StatusBadge>;
  if (status === 'expired') return <StatusBadge status="gone">Vencida</StatusBadge>;
  return null;
}

function JoinedParts({ parts }: { parts: readonly ReactNode[] }) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
    <span key={index}>
      {index > 0 && ' · '}
      {part}
    </span>
  ));
}

function lastUseText({ last_used_at, last_used_address }: ScopedKey, now: number): string {
  if (last_used_at === null) return 'Nunca usada';
  const usedAgo = formatRelative(last_used_at, new Date(now));
  return `Usada ${usedAgo}${last_used_address === null ? '' : `, de ${last_used_address}`}`;
}

/** An expiry nearer than this is shown as a warning. The gateway notifies the merchant equally early. */
const EXPIRES_SOON_MS = 7 * 86_400_000;

function KeyExpiry({ scopedKey: { expires_at, status }, now }: { scopedKey: ScopedKey; now: number }) {
  if (expires_at === null) return 'Sem vencimento';
  if (status === 'expired') return `Venceu em ${formatDateAtTime(expires_at)}`;
  if (status === 'replaced') return `Vale até ${formatDateAtTime(expires_at)}`;
  if (Date.parse(expires_at) - now > EXPIRES_SOON_MS) return `Vence em ${formatDate(expires_at)}`;
  const timeLeft = formatTimeLeft(expires_at, now);
  return (
    <span className="font-medium text-warning">
      Vence em {formatDateAtTime(expires_at)}
      {timeLeft !== null && `: ${timeLeft}`}
    </span>
  );
}

function allowedAddressesText({ allowed_addresses: [first, second, ...otherAddresses] }: ScopedKey): string {
  if (first === undefined) return 'De qualquer endereço';
  if (second === undefined) return `Só de ${first}`;
  if (otherAddresses.length === 0) return `Só de ${first} e ${second}`;
  return `Só de ${first} e mais ${otherAddresses.length + 1} endereços`;
}
