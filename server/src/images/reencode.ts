import { createWorkQueue } from '../work-queue.ts';
import { beginsAsPicture, type EncodedPicture, type PictureKind } from './picture.ts';
import { runEncoder } from './run-encoder.ts';

// A picture in work may take half a gigabyte: one lot at a time.
const inQueue = createWorkQueue({ parallel: 1, waiting: 6 });

/**
 * Makes new pictures of what was sent, in the order of it. Undefined when one of them is no picture that is taken, is
 * broken, is larger than any camera makes, or takes too long. Refused with OVERLOADED while enough others wait.
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
