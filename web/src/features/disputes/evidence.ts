import { DEFENCE } from '@jangada/contract';

/** A file that the merchant chose, and why it cannot be sent. */
export type ChosenEvidence = { key: string; file: File; problem: string | undefined };

export const ACCEPTED = '.pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg';

/** How each kind begins, as the gateway looks at it: the name of a file says nothing. */
const beginnings = [
  [0x25, 0x50, 0x44, 0x46],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
];

/** Reads chosen files: each stands in the list, with what is wrong with it. */
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
  if (file.size > DEFENCE.maxFileBytes) return 'Cada arquivo tem no máximo 2 MB.';
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const known = beginnings.some((bytes) => bytes.every((byte, at) => head[at] === byte));
  return known ? undefined : 'Envie arquivos PDF, PNG ou JPEG.';
}

const NAME_MAX_LENGTH = 120;

/** A file as the gateway takes it. A longer name keeps its end, where its kind stands. */
export async function uploadOf(file: File): Promise<{ name: string; content: string }> {
  const name = file.name === '' ? 'arquivo' : file.name;
  return { name: name.slice(-NAME_MAX_LENGTH), content: await base64Of(file) };
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
