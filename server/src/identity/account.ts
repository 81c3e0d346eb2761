import { formatDocument, normalizeDocument } from '@jangada/pix';

/** A full name as it is kept: one form of each letter, single spaces. */
export function normalizeName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ');
}

/** An e-mail as it is kept and compared: in lower case. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** A text as searches compare it: lower case, without accents, single spaces, nothing unprintable. */
export function foldForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

type Searchable = { name: string; username: string; email: string; document: string };

/** All that an account is found by, its document also in the mask that people type. */
export function searchText({ name, username, email, document }: Searchable): string {
  const bare = normalizeDocument(document);
  return foldForSearch([name, username, email, bare, formatDocument(bare)].join(' '));
}
