/** What is made of a picture: the face of an account, the logo of a merchant, or a photo of a document. */
export type PictureKind = 'avatar' | 'logo' | 'document';

/** Made from what was sent, with none of its bytes. */
export type EncodedPicture = {
  /** WebP, turned as it was held, without metadata. */
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
  /** WebP in which one sees what it is and cannot read it; of a document only. */
  readonly thumbnail: Buffer | undefined;
};

/** More than any telephone's camera puts into a file of the size that is taken. */
export const MOST_PIXELS = 50_000_000;
export const AVATAR_SIDE = 256;
export const LOGO_SIDE = 512;
export const LONGEST_SIDE = 2000;
export const THUMBNAIL_SIDE = 200;
/** So that base64 of it stays within 20 kB. */
export const THUMBNAIL_MAX_BYTES = 15_000;

const taken: Readonly<Record<PictureKind, readonly ((start: Buffer) => boolean)[]>> = {
  avatar: [isJpeg, isPng],
  logo: [isJpeg, isPng],
  document: [isJpeg, isPng, isWebp],
};

/** Whether bytes begin as a picture that is taken does; their name and their declared type say nothing. */
export function beginsAsPicture(bytes: Buffer, kind: PictureKind): boolean {
  return taken[kind].some((begins) => begins(bytes));
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
}

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
}

function isWebp(bytes: Buffer): boolean {
  return /^RIFF....WEBPVP8[ LX]/s.test(bytes.toString('latin1', 0, 16));
}
