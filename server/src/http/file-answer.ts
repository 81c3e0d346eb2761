import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A file in place of JSON, written as it is read. */
export class FileAnswer {
  /** One of those that the endpoint names. */
  readonly contentType: string;
  /** Letters, digits, hyphens and a dot: it stands in a header. */
  readonly fileName: string;
  readonly text: AsyncIterable<string>;
  /** Called once, when the file was sent or its reader went away. */
  readonly onEnd: () => void;

  constructor(file: Pick<FileAnswer, 'contentType' | 'fileName' | 'text' | 'onEnd'>) {
    this.contentType = file.contentType;
    this.fileName = file.fileName;
    this.text = file.text;
    this.onEnd = file.onEnd;
  }
}

/** Who reads slower than this is cut off: a call under way is a place that others wait for. */
const longestMs = 120_000;

export function sendFile(reply: FastifyReply, status: number, file: FileAnswer): FastifyReply {
  const stream = Readable.from(file.text, { objectMode: false, signal: AbortSignal.timeout(longestMs) });
  stream.once('close', file.onEnd);
  return reply
    .code(status)
    .header('content-type', file.contentType)
    .header('content-disposition', `attachment; filename="${file.fileName}"`)
    .send(stream);
}
