import { type ScopedKey, scopeTexts } from '@jangada/contract';
import type { ReactNode } from 'react';
import { formatDate, formatDateAtTime, formatRelative, formatTimeLeft } from '../../format/date.ts';
import { Button, StatusBadge } from '../../ui/index.ts';

export type KeyAction = 'change' | 'rotate' | 'revoke';

type ScopedKeyRowProps = {
  of: ScopedKey;
  now: number;
  onAction: (action: KeyAction) => void;
};

/** A key: what it is called, may do, when it was used and ends; and what can be done with it. */
export function ScopedKeyRow({ of, now, onAction }: ScopedKeyRowProps) {
  const { name, masked, status } = of;
  return (
    <li className="grid gap-x-6 gap-y-3 py-4 lg:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          <span className="min-w-0 wrap-anywhere">{name}</span>
          <KeyState of={of} />
        </p>
        <code className="mt-0.5 block font-mono text-xs break-all text-muted">{masked}</code>
      </div>
      <div className="min-w-0">
        <ul aria-label={`Escopos da chave ${name}`} className="flex flex-wrap gap-1.5">
          {of.scopes.map((scope) => (
            <li key={scope} className="badge bg-grey-tint text-grey">
              {scopeTexts[scope].label}
            </li>
          ))}
        </ul>
        <p className="mt-1.5 text-xs wrap-anywhere text-muted">
          <Parts parts={[useOf(of, now), <KeyEnd key="end" of={of} now={now} />, placesOf(of)]} />
        </p>
      </div>
      <div className="flex items-start gap-2 max-lg:*:grow max-[18rem]:flex-wrap">
        {status !== 'replaced' && (
          <>
            <KeyButton word="Alterar" of={of} onClick={() => onAction('change')} />
            <KeyButton word="Trocar" of={of} onClick={() => onAction('rotate')} />
          </>
        )}
        <KeyButton
          word={status === 'expired' ? 'Remover' : 'Revogar'}
          of={of}
          danger
          onClick={() => onAction('revoke')}
        />
      </div>
    </li>
  );
}

type KeyButtonProps = { word: string; of: ScopedKey; danger?: boolean; onClick: () => void };

function KeyButton({ word, of, danger = false, onClick }: KeyButtonProps) {
  return (
    <Button
      size="small"
      variant={danger ? 'danger' : 'line'}
      aria-label={`${word} a chave ${of.name}, ${of.masked}`}
      onClick={onClick}
    >
      {word}
    </Button>
  );
}

function KeyState({ of: { status } }: { of: ScopedKey }) {
  if (status === 'replaced') return <StatusBadge status="waiting">Trocada</StatusBadge>;
  if (status === 'expired') return <StatusBadge status="gone">Vencida</StatusBadge>;
  return null;
}

function Parts({ parts }: { parts: readonly ReactNode[] }) {
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have their places
    <span key={at}>
      {at > 0 && ' · '}
      {part}
    </span>
  ));
}

function useOf({ last_used_at, last_used_address }: ScopedKey, now: number): string {
  if (last_used_at === null) return 'Nunca usada';
  const when = formatRelative(last_used_at, new Date(now));
  return `Usada ${when}${last_used_address === null ? '' : `, de ${last_used_address}`}`;
}

const SOON_MS = 7 * 86_400_000;

function KeyEnd({ of: { expires_at, status }, now }: { of: ScopedKey; now: number }) {
  if (expires_at === null) return 'Sem vencimento';
  if (status === 'expired') return `Venceu em ${formatDateAtTime(expires_at)}`;
  if (status === 'replaced') return `Vale até ${formatDateAtTime(expires_at)}`;
  if (Date.parse(expires_at) - now > SOON_MS) return `Vence em ${formatDate(expires_at)}`;
  const left = formatTimeLeft(expires_at, now);
  return (
    <span className="font-medium text-warning">
      Vence em {formatDateAtTime(expires_at)}
      {left !== null && `: ${left}`}
    </span>
  );
}

function placesOf({ allowed_addresses: [first, second, ...more] }: ScopedKey): string {
  if (first === undefined) return 'De qualquer endereço';
  if (second === undefined) return `Só de ${first}`;
  if (more.length === 0) return `Só de ${first} e ${second}`;
  return `Só de ${first} e mais ${more.length + 1} endereços`;
}
