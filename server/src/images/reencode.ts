import { createWorkQueue } from '../work-queue.ts';
import { beginsAsPicture, type EncodedPicture, type PictureKind } from './picture.ts';
import { runEncoder } from './run-encoder.ts';

// Encoding a picture may take half a gigabyte of memory, so one batch runs at a time.
const inQueue = createWorkQueue({ parallel: 1, waiting: 6 });

/**
 * Re-encodes pictures, in the order given. Undefined if one of them is not an accepted format, is broken, has more
 * pixels than any camera produces, or takes too long. Refused with OVERLOADED when too many others are waiting.
 */
export async function reencode(
  sent: readonly Buffer[],
  kind: PictureKind,
): Promise<EncodedPicture[] | undefined> {
  if (!sent.every((bytes) => beginsAsPicture(bytes, kind))) return undefined;
  const { pictures } = await inQueue(() => runEncoder(sent, kind));
  const made = pictures.filter((picture) => picture !== undefined);
  return made.length === sent.length ? made : undefined;
}
