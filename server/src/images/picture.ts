/** The uses of a picture: avatar of an account, logo of a merchant, or photo of a document. */
export type PictureKind = 'avatar' | 'logo' | 'document';

/** A picture that was re-encoded from an upload and contains none of its bytes. */
export type EncodedPicture = {
  /** WebP with the orientation applied and without metadata. */
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
  /** WebP, too small to read but large enough to recognise; for documents only. */
  readonly thumbnail: Buffer | undefined;
};

/** The limit of pixels in an upload: more than any phone camera fits into a file of the accepted size. */
export const MAX_PIXELS = 50_000_000;
/**
 * Sides of re-encoded pictures, in pixels. An avatar is a square of this side. In a logo, the photo of a document and a
 * thumbnail, this is the maximum of the longer side.
 */
export const AVATAR_SIDE = 256;
export const LOGO_SIDE = 512;
export const DOCUMENT_SIDE = 2000;
export const THUMBNAIL_SIDE = 200;
/** The largest thumbnail in bytes: its base64 form fits into 20 kB. */
export const THUMBNAIL_MAX_BYTES = 15_000;

const acceptedFormats: Readonly<Record<PictureKind, readonly ((start: Buffer) => boolean)[]>> = {
  avatar: [isJpeg, isPng],
  logo: [isJpeg, isPng],
  document: [isJpeg, isPng, isWebp],
};

/** Whether an upload starts like an accepted picture format. Its file name and declared type prove nothing. */
export function hasPictureSignature(bytes: Buffer, kind: PictureKind): boolean {
  return acceptedFormats[kind].some((hasSignature) => hasSignature(bytes));
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
