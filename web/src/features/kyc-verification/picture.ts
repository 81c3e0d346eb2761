import { errors, KYC_PICTURE_MAX_BYTES, KYC_PICTURE_MIN_SIDE, type KycSide } from '@jangada/contract';

/** A picture that was chosen and not refused, and the address that shows it. */
export type Picture = { readonly file: File; readonly address: string };
export type Pictures = Readonly<Partial<Record<KycSide, Picture>>>;

export const ACCEPTED = 'image/jpeg,image/png,image/webp';

/** The sentence for a file that is no picture, or that no browser can open. */
export const NOT_A_PICTURE = 'Envie só imagens: fotos em JPEG, PNG ou WebP.';

/** Gives a chosen file an address that shows it, which is kept until `forget`. */
export function pictureFrom(file: File): Picture {
  return { file, address: URL.createObjectURL(file) };
}

/** The sentence for a picture in which nobody could read a document, or undefined. */
export function sizeProblem({ width, height }: { width: number; height: number }): string | undefined {
  return Math.min(width, height) < KYC_PICTURE_MIN_SIDE ? errors.PICTURE_TOO_SMALL.message : undefined;
}

/** True when two files hold the same bytes. */
export async function isSameFile(one: File, other: File): Promise<boolean> {
  if (one.size !== other.size) return false;
  const [bytes, others] = await Promise.all([bytesOf(one), bytesOf(other)]);
  return bytes.every((byte, at) => byte === others[at]);
}

async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}

export function forget(picture: Picture | undefined): void {
  if (picture !== undefined) URL.revokeObjectURL(picture.address);
}

/** Why a file cannot be sent, by its size and first bytes as the gateway reads them: its name and type say nothing. */
export async function fileProblem(file: File): Promise<string | undefined> {
  if (file.size > KYC_PICTURE_MAX_BYTES) return 'Cada imagem deve ter no máximo 10MB.';
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...head);
  const known =
    text.startsWith('\xff\xd8\xff') ||
    text.startsWith('\x89PNG') ||
    (text.startsWith('RIFF') && text.endsWith('WEBP'));
  return known ? undefined : NOT_A_PICTURE;
}
