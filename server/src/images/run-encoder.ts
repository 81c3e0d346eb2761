import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
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

/**
 * Decodes and encodes pictures in a separate process that is given nothing but the pictures. So a hostile picture
 * cannot reach the gateway, and cannot use more time and memory than that process may.
 */
export async function runEncoder(uploads: readonly Buffer[], kind: PictureKind): Promise<EncoderResult> {
  const child = fork(encoderPath, [], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // The encoder has a lower priority than the gateway, so that payments come first.
  if (child.pid !== undefined) setPriority(child.pid, 5);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    const reply = await requestReply(child, { uploads, kind });
    return reply === undefined
      ? { pictures: uploads.map(() => undefined), peakBytes: 0 }
      : replySchema.parse(reply);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** Sends the pictures to the child process. Returns its reply, or undefined if it exited without one. */
function requestReply(
  child: ChildProcess,
  work: { uploads: readonly Buffer[]; kind: PictureKind },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // If sending fails, the error arrives after the exit, when the promise is already resolved.
    child
      .once('message', resolve)
      .once('exit', () => resolve(undefined))
      .on('error', reject);
    child.send(work);
  });
}
