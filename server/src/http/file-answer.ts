import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { piecesOf } from './stalled-writes.ts';

/** A file in place of JSON. */
export class FileAnswer {
  /** One of those that the endpoint names. */
  readonly contentType: string;
  /** Letters, digits, hyphens and a dot: it stands in a header. */
  readonly fileName: string;
  /** Text is written as it is read. */
  readonly content: AsyncIterable<string> | Buffer;
  /** Whether a browser shows it where it is asked for, or keeps it as a file. */
  readonly shown: boolean;
  /** Whether it never changes, so that whoever has it need not ask again. Else nobody keeps it. */
  readonly immutable: boolean;
  /** Called once, when the file was sent or its reader went away. */
  readonly onEnd: () => void;

  constructor(
    file: Pick<FileAnswer, 'contentType' | 'fileName' | 'content'> &
      Partial<Pick<FileAnswer, 'shown' | 'immutable' | 'onEnd'>>,
  ) {
    this.contentType = file.contentType;
    this.fileName = file.fileName;
    this.content = file.content;
    this.shown = file.shown ?? false;
    this.immutable = file.immutable ?? false;
    this.onEnd = file.onEnd ?? (() => {});
  }
}

/** Who reads slower than this is cut off: of what is written while it is read there are only so many. */
const longestMs = 120_000;

export function sendFile(reply: FastifyReply, status: number, file: FileAnswer): FastifyReply {
  const { content, contentType, fileName, shown, immutable, onEnd } = file;
  reply
    .code(status)
    .header('content-type', contentType)
    .header('content-disposition', `${shown ? 'inline' : 'attachment'}; filename="${fileName}"`);
  if (immutable) reply.header('cache-control', 'public, max-age=31536000, immutable');
  // Opened by its address, what users sent can do nothing.
  if (shown) reply.header('content-security-policy', "default-src 'none'; sandbox");
  if (Buffer.isBuffer(content)) return reply.send(content);
  const stream = Readable.from(inPieces(content), {
    objectMode: false,
    signal: AbortSignal.timeout(longestMs),
  });
  stream.once('close', onEnd);
  return reply.send(stream);
}

async function* inPieces(content: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of content) yield* piecesOf(Buffer.from(text));
}
