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
  /** In the order of what was sent; undefined where no picture could be made. */
  readonly pictures: readonly (EncodedPicture | undefined)[];
  /** What the encoder held at its peak; 0 when it did not live to tell. */
  readonly peakBytes: number;
};

/**
 * Decodes and encodes in a process of its own, which is given nothing but the pictures: what a hostile one does to a
 * decoder ends there, and so does its time and its memory.
 */
export async function runEncoder(sent: readonly Buffer[], kind: PictureKind): Promise<Encoded> {
  const child = fork(encoder, [], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Money goes first.
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

/** Undefined when it ended without one. */
function answerOf(
  child: ChildProcess,
  work: { sent: readonly Buffer[]; kind: PictureKind },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // An error in sending follows its end, which has answered already.
    child
      .once('message', resolve)
      .once('exit', () => resolve(undefined))
      .on('error', reject);
    child.send(work);
  });
}
