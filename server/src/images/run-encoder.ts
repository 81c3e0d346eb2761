import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { EncodedPicture, PictureKind } from './picture.ts';

const encoder = fileURLToPath(new URL('./encoder.ts', import.meta.url));
const longestMs = 60_000;

const bytes = z.instanceof(Uint8Array).transform((array) => Buffer.from(array));
const picture = z
  .object({ content: bytes, thumbnail: z.optional(bytes), width: z.number(), height: z.number() })
  .transform((one): EncodedPicture => ({ ...one, thumbnail: one.thumbnail }));
const report = z.object({ pictures: z.array(z.union([picture, z.undefined()])), peakBytes: z.number() });

export type Encoded = {
  /** In the order sent; undefined where encoding failed. */
  readonly pictures: readonly (EncodedPicture | undefined)[];
  /** Peak memory of the encoder; 0 if it did not live to report it. */
  readonly peakBytes: number;
};

/**
 * Decodes and encodes in a separate process that receives nothing but the pictures, so that a hostile one can neither
 * reach beyond it nor exceed its time and memory.
 */
export async function runEncoder(sent: readonly Buffer[], kind: PictureKind): Promise<Encoded> {
  const child = fork(encoder, [], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Lower priority, so that payments come first.
  if (child.pid !== undefined) setPriority(child.pid, 5);
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs);
  try {
    const told = await answerOf(child, { sent, kind });
    return told === undefined ? { pictures: sent.map(() => undefined), peakBytes: 0 } : report.parse(told);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** Undefined if the process exited without a reply. */
function answerOf(
  child: ChildProcess,
  work: { sent: readonly Buffer[]; kind: PictureKind },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // An error in sending arrives after the exit, when the promise is already resolved.
    child
      .once('message', resolve)
      .once('exit', () => resolve(undefined))
      .on('error', reject);
    child.send(work);
  });
}
