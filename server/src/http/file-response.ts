import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { piecesOf } from './stalled-writes.ts';

/** Returned by a handler whose response is a file instead of JSON. */
export class FileResponse {
  /** One of the content types listed by the endpoint. */
  readonly contentType: string;
  /** May contain only letters, digits, hyphens and a dot, because it is sent in a header without escaping. */
  readonly fileName: string;
  /** Text is streamed as it is produced. */
  readonly content: AsyncIterable<string> | Buffer;
  /** Whether the browser displays the file (inline) or downloads it (attachment). */
  readonly isInline: boolean;
  /** Whether clients may cache the file for good, because it never changes. Otherwise it is not cached. */
  readonly immutable: boolean;
  /** Called once when a streamed file has been sent or its client has disconnected; never called for a buffer. */
  readonly onEnd: () => void;

  constructor(
    file: Pick<FileResponse, 'contentType' | 'fileName' | 'content'> &
      Partial<Pick<FileResponse, 'isInline' | 'immutable' | 'onEnd'>>,
  ) {
    this.contentType = file.contentType;
    this.fileName = file.fileName;
    this.content = file.content;
    this.isInline = file.isInline ?? false;
    this.immutable = file.immutable ?? false;
    this.onEnd = file.onEnd ?? (() => {});
  }
}

/** A client that takes longer to read a stream is disconnected. For comparison, 15 MB take two minutes at 1 Mbit/s. */
const maxStreamMs = 600_000;

export function sendFile(reply: FastifyReply, status: number, file: FileResponse): FastifyReply {
  const { content, contentType, fileName, isInline, immutable, onEnd } = file;
  reply
    .code(status)
    .header('content-type', contentType)
    .header('content-disposition', `${isInline ? 'inline' : 'attachment'}; filename="${fileName}"`);
  if (immutable) reply.header('cache-control', 'public, max-age=31536000, immutable');
  // An uploaded file that is opened directly must not run or load anything.
  if (isInline) reply.header('content-security-policy', "default-src 'none'; sandbox");
  if (Buffer.isBuffer(content)) return reply.send(content);
  const stream = Readable.from(inPieces(content), {
    objectMode: false,
    signal: AbortSignal.timeout(maxStreamMs),
  });
  stream.once('close', onEnd);
  return reply.send(stream);
}

async function* inPieces(content: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of content) yield* piecesOf(Buffer.from(text));
}
