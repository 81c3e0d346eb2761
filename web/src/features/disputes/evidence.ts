// The files that a merchant attaches to a defence against a dispute.

import { DEFENCE_LIMITS } from '@jangada/contract';
import { base64Of } from '../../panel/base64.ts';

/** A file that the merchant chose. `problem` says why the file cannot be sent; it is undefined for a valid file. */
export type ChosenEvidence = { key: string; file: File; problem: string | undefined };

export const ACCEPTED_TYPES = '.pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg';

/**
 * The first bytes of PDF, PNG and JPEG files. This page and the gateway check them, because a file's name proves
 * nothing.
 */
const fileSignatures = [
  [0x25, 0x50, 0x44, 0x46],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
];

/** Checks the chosen files, and returns all of them, each with its problem if it has one. */
export async function evidenceFrom(files: readonly File[]): Promise<ChosenEvidence[]> {
  return Promise.all(
    files.map(async (file) => ({
      key: crypto.getRandomValues(new Uint32Array(2)).join('-'),
      file,
      problem: await problemOf(file),
    })),
  );
}

async function problemOf(file: File): Promise<string | undefined> {
  if (file.size > DEFENCE_LIMITS.maxFileBytes) return 'Cada arquivo tem no máximo 2 MB.';
  const firstBytes = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const isKnownType = fileSignatures.some((bytes) =>
    bytes.every((byte, index) => firstBytes[index] === byte),
  );
  return isKnownType ? undefined : 'Envie arquivos PDF, PNG ou JPEG.';
}

const NAME_MAX_LENGTH = 120;

/**
 * A file as the API expects it, with its content in base64. A name that is too long is cut at its beginning, so that
 * the extension stays.
 */
export async function encodeFile(file: File): Promise<{ name: string; content: string }> {
  const name = file.name === '' ? 'arquivo' : file.name;
  return { name: name.slice(-NAME_MAX_LENGTH), content: await base64Of(file) };
}
