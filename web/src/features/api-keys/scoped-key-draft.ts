import type { Scope, ScopedKey } from '@jangada/contract';
import { formatDateAtTime } from '../../format/date.ts';

const DAY_MS = 86_400_000;

/** The values of the form of a scoped key, the API key of one system of a merchant. */
export type KeyDraft = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The choice for the expiry: `keep` for the present expiry, `never`, `date`, or a number of days. */
  readonly expiry: string;
  /** The expiry day as `yyyy-MM-dd`, used when `expiry` is `date`. */
  readonly date: string;
  /** The allowed IP addresses as typed, separated by line breaks, spaces, commas or semicolons. */
  readonly addresses: string;
};

/** The error of each invalid field. */
export type KeyProblems = { readonly [Field in 'name' | 'scopes' | 'date' | 'addresses']?: string };

/** The initial values of the form. A new key may create and read charges, which is what most shops need. */
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

/** The choices that set a new expiry: a number of days from now, or a date. */
const newExpiryOptions = [
  { value: '30', label: 'Em 30 dias' },
  { value: '90', label: 'Em 90 dias' },
  { value: '180', label: 'Em 180 dias' },
  { value: '365', label: 'Em 1 ano' },
  { value: 'date', label: 'Em uma data' },
];

/** The choices for the expiry. A key that has not expired may keep its expiry, even if that is "never". */
export function expiryOptions(key: ScopedKey | null): { value: string; label: string }[] {
  const never = { value: 'never', label: 'Nunca' };
  if (key === null || key.status === 'expired') return [...newExpiryOptions, never];
  if (key.expires_at === null) return [{ ...never, value: 'keep' }, ...newExpiryOptions];
  return [{ value: 'keep', label: `Em ${formatDateAtTime(key.expires_at)}` }, ...newExpiryOptions, never];
}

/** The errors of a draft. `today` is a calendar day as `yyyy-MM-dd`. */
export function problemsOf({ name, scopes, expiry, date }: KeyDraft, today: string): KeyProblems {
  return {
    ...(name.trim() === '' && { name: 'Dê um nome à chave.' }),
    ...(scopes.length === 0 && { scopes: 'Escolha ao menos um escopo.' }),
    ...(expiry === 'date' &&
      (date === '' || date < today) && { date: 'Escolha uma data que ainda não passou.' }),
  };
}

/** The request body that saves a draft. A key with an expiry day expires at the end of that day in São Paulo. */
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
  // São Paulo has no daylight saving time, so its offset is always -03:00.
  if (expiry === 'date') return new Date(`${date}T23:59:59-03:00`).toISOString();
  return new Date(now + Number(expiry) * DAY_MS).toISOString();
}
