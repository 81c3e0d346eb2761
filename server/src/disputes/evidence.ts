import { DEFENCE, type Defence } from '@jangada/contract';
import { Refusal } from '../refusal.ts';

/** A file of a defence. */
export type EvidenceFile = { readonly name: string; readonly type: string; readonly content: Buffer };

/** Magic bytes of the accepted file types. */
const beginnings = [
  { type: 'application/pdf', begins: Buffer.from('%PDF-', 'latin1') },
  { type: 'image/png', begins: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: 'image/jpeg', begins: Buffer.from([0xff, 0xd8, 0xff]) },
] as const;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes uploaded files (base64). The type is taken from the content, never from the name. Refused with
 * FILE_NOT_ACCEPTED or FILE_TOO_LARGE.
 */
export function readEvidence(files: Defence['files']): EvidenceFile[] {
  return files.map(({ name, content }) => {
    if (!base64.test(content)) throw new Refusal('FILE_NOT_ACCEPTED');
    const bytes = Buffer.from(content, 'base64');
    if (bytes.length > DEFENCE.maxFileBytes) throw new Refusal('FILE_TOO_LARGE');
    const known = beginnings.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins));
    if (known === undefined) throw new Refusal('FILE_NOT_ACCEPTED');
    return { name: plainName(name), type: known.type, content: bytes };
  });
}

/** Strips folders and invisible characters. */
function plainName(name: string): string {
  const last = name.replace(/^.*[/\\]/s, '').replace(/\p{C}/gu, '');
  return last.trim() || 'arquivo';
}
