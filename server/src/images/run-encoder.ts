import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runChild } from '../run-child.ts';
import type { EncodedPicture, PictureKind } from './picture.ts';

const encoderPath = fileURLToPath(new URL('./encoder.ts', import.meta.url));
/** The time for all pictures of one upload. */
const timeoutMs = 60_000;

const bytesSchema = z.instanceof(Uint8Array).transform((array) => Buffer.from(array));
const pictureSchema = z
  .object({ content: bytesSchema, thumbnail: z.optional(bytesSchema), width: z.number(), height: z.number() })
  .transform((parsed): EncodedPicture => ({ ...parsed, thumbnail: parsed.thumbnail }));
const replySchema = z.object({
  pictures: z.array(z.union([pictureSchema, z.undefined()])),
  peakBytes: z.number(),
});

export type EncoderResult = {
  /** One for each upload, in their order; undefined where encoding failed. */
  readonly pictures: readonly (EncodedPicture | undefined)[];
  /** Peak memory of the encoder process; 0 if the process ended before it could report. */
  readonly peakBytes: number;
};

/** Decodes and encodes pictures in a separate process, whose time and memory are limited. */
export async function runEncoder(uploads: readonly Buffer[], kind: PictureKind): Promise<EncoderResult> {
  const reply = await runChild(encoderPath, { uploads, kind }, timeoutMs);
  return reply === undefined
    ? { pictures: uploads.map(() => undefined), peakBytes: 0 }
    : replySchema.parse(reply);
}
