import type { Scope, ScopedKey } from '@jangada/contract';
import { formatDateAtTime } from '../../format/date.ts';

const DAY_MS = 86_400_000;

/** A key as its form holds it. */
export type KeyDraft = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** `keep`, `never`, `date`, or a number of days. */
  readonly expiry: string;
  /** `yyyy-MM-dd`, where the expiry is a date. */
  readonly date: string;
  /** As typed: one a line, or parted by commas. */
  readonly addresses: string;
};

export type KeyProblems = { readonly [Field in 'name' | 'scopes' | 'date' | 'addresses']?: string };

/** The form's initial values: a shop's system creates charges and reads them. */
export function draftOf(key: ScopedKey | null): KeyDraft {
  if (key === null) return { name: '', scopes: ['read', 'charges'], expiry: '365', date: '', addresses: '' };
  return {
    name: key.name,
    scopes: key.scopes,
    expiry: key.status === 'expired' ? '365' : 'keep',
    date: '',
    addresses: key.allowed_addresses.join('\n'),
  };
}

const lives = [
  { value: '30', label: 'Em 30 dias' },
  { value: '90', label: 'Em 90 dias' },
  { value: '180', label: 'Em 180 dias' },
  { value: '365', label: 'Em 1 ano' },
  { value: 'date', label: 'Em uma data' },
];

/** Ways to choose when a key ends; one that has an end in sight may keep it. */
export function expiryOptions(key: ScopedKey | null): { value: string; label: string }[] {
  const never = { value: 'never', label: 'Nunca' };
  if (key === null || key.status === 'expired') return [...lives, never];
  if (key.expires_at === null) return [{ ...never, value: 'keep' }, ...lives];
  return [{ value: 'keep', label: `Em ${formatDateAtTime(key.expires_at)}` }, ...lives, never];
}

export function problemsOf({ name, scopes, expiry, date }: KeyDraft, today: string): KeyProblems {
  return {
    ...(name.trim() === '' && { name: 'Dê um nome à chave.' }),
    ...(scopes.length === 0 && { scopes: 'Escolha ao menos um escopo.' }),
    ...(expiry === 'date' &&
      (date === '' || date < today) && { date: 'Escolha uma data que ainda não passou.' }),
  };
}

/** The request body for a form. A day ends at midnight in São Paulo. */
export function bodyOf(draft: KeyDraft, key: ScopedKey | null, now: number) {
  return {
    name: draft.name.trim(),
    scopes: [...draft.scopes],
    allowed_addresses: draft.addresses.split(/[\s,;]+/).filter((address) => address !== ''),
    expires_at: expiryOf(draft, key, now),
  };
}

function expiryOf({ expiry, date }: KeyDraft, key: ScopedKey | null, now: number): string | null {
  if (expiry === 'keep') return key?.expires_at ?? null;
  if (expiry === 'never') return null;
  if (expiry === 'date') return new Date(`${date}T23:59:59-03:00`).toISOString();
  return new Date(now + Number(expiry) * DAY_MS).toISOString();
}
