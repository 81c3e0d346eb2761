import { createWorkQueue } from '../work-queue.ts';
import { type EncodedPicture, hasPictureSignature, type PictureKind } from './picture.ts';
import { runEncoder } from './run-encoder.ts';

// Encoding a picture may take half a gigabyte of memory, so only one upload is encoded at a time, and six may wait.
const encodeInQueue = createWorkQueue({ parallel: 1, waiting: 6 });

/**
 * Re-encodes the pictures of one upload and returns them in the same order. Returns undefined if any of them has
 * another format than the accepted ones, is broken, has too many pixels, or takes too long. Refused with OVERLOADED
 * when too many uploads are waiting.
 */
export async function reencode(
  uploads: readonly Buffer[],
  kind: PictureKind,
): Promise<EncodedPicture[] | undefined> {
  if (!uploads.every((bytes) => hasPictureSignature(bytes, kind))) return undefined;
  const { pictures } = await encodeInQueue(() => runEncoder(uploads, kind));
  const encoded = pictures.filter((picture) => picture !== undefined);
  return encoded.length === uploads.length ? encoded : undefined;
}
