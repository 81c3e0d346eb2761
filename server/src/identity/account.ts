import { formatDocument, normalizeDocument } from '@jangada/pix';

/** Normalizes a full name for storage: NFC, single spaces. */
export function normalizeName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ');
}

/** Normalizes an e-mail for storage and comparison: NFC, lower case. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** Normalizes text for search: lower case, no accents, single spaces, no control characters. */
export function foldForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

type Searchable = { name: string; username: string; email: string; document: string };

/** The text an account is searched by. Contains the document both bare and formatted, since people type either. */
export function searchText({ name, username, email, document }: Searchable): string {
  const bare = normalizeDocument(document);
  return foldForSearch([name, username, email, bare, formatDocument(bare)].join(' '));
}
