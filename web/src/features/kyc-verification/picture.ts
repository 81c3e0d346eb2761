import { errors, KYC_PICTURE_MAX_BYTES, KYC_PICTURE_MIN_SIDE, type KycSide } from '@jangada/contract';

/** A chosen picture that passed `fileProblem`, and the object URL with which the page shows it. */
export type Picture = { readonly file: File; readonly url: string };
/** The accepted pictures by side: the front of the document, its back, and the selfie. */
export type Pictures = Readonly<Partial<Record<KycSide, Picture>>>;

export const ACCEPTED_KYC_TYPES = 'image/jpeg,image/png,image/webp';

/** The error for a file that is not a picture, or that the browser cannot open. */
export const NOT_A_PICTURE = 'Envie só imagens: fotos em JPEG, PNG ou WebP.';

/** Creates the object URL for a chosen file. The URL keeps the file in memory until `releasePicture` is called. */
export function pictureFrom(file: File): Picture {
  return { file, url: URL.createObjectURL(file) };
}

/** The error for a picture that is too small for a legible document; undefined for a picture of sufficient size. */
export function sizeProblem({ width, height }: { width: number; height: number }): string | undefined {
  return Math.min(width, height) < KYC_PICTURE_MIN_SIDE ? errors.PICTURE_TOO_SMALL.message : undefined;
}

/** True when two files contain the same bytes. */
export async function isSameFile(first: File, second: File): Promise<boolean> {
  if (first.size !== second.size) return false;
  const [bytes, otherBytes] = await Promise.all([bytesOf(first), bytesOf(second)]);
  return bytes.every((byte, index) => byte === otherBytes[index]);
}

async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}

/** Lets the browser forget the file behind an object URL. */
export function releasePicture(picture: Picture | undefined): void {
  if (picture !== undefined) URL.revokeObjectURL(picture.url);
}

/**
 * The error for a file that cannot be sent; undefined for a valid file. Like the gateway, this checks the size and the
 * first bytes of the file, and ignores its name and its declared type.
 */
export async function fileProblem(file: File): Promise<string | undefined> {
  if (file.size > KYC_PICTURE_MAX_BYTES) return 'Cada imagem deve ter no máximo 10MB.';
  const firstBytes = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...firstBytes);
  const isJpeg = text.startsWith('\xff\xd8\xff');
  const isPng = text.startsWith('\x89PNG');
  const isWebp = text.startsWith('RIFF') && text.endsWith('WEBP');
  return isJpeg || isPng || isWebp ? undefined : NOT_A_PICTURE;
}
