import type { Endpoint } from '@jangada/contract';
import { Refusal } from '../refusal.ts';

export type Upload = NonNullable<Endpoint['upload']>;
export type UploadedFiles = Readonly<Record<string, Buffer>>;

const slackBytes = 1024 * 1024;
const mostHeaderBytes = 2048;

/** A body somewhat too large is read, so that who sent it is told which file it was. */
export function longestUpload({ fields, maxFileBytes }: Upload): number {
  return fields.length * maxFileBytes + slackBytes;
}

/** @returns the boundary of a `multipart/form-data` body, undefined of any other */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, bare] =
    /^multipart\/form-data;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";]{1,70})(?:[\s;]|$))/i.exec(
      contentType ?? '',
    ) ?? [];
  return quoted ?? bare;
}

/**
 * Takes a body of `multipart/form-data` (RFC 7578) apart: one file for each field of the upload, in any order, and nothing
 * else. The files are views of the body. Refused with INVALID_BODY, or as the upload says.
 */
export function readMultipart(body: Buffer, boundary: string, upload: Upload): UploadedFiles {
  const files = new Map<string, Buffer>();
  for (const part of partsOf(body, Buffer.from(`--${boundary}`, 'latin1'))) {
    const field = fieldOf(part.header);
    if (field === undefined || !upload.fields.includes(field) || files.has(field))
      throw new Refusal('INVALID_BODY');
    if (part.content.length > upload.maxFileBytes) throw new Refusal(upload.tooLarge);
    files.set(field, part.content);
  }
  // A browser sends an empty file for an input in which none was chosen.
  if (upload.fields.some((field) => !files.get(field)?.length)) throw new Refusal(upload.missing);
  return Object.fromEntries(files);
}

type Part = { readonly header: string; readonly content: Buffer };

const lineEnd = Buffer.from('\r\n');
const headerEnd = Buffer.from('\r\n\r\n');

function* partsOf(body: Buffer, delimiter: Buffer): Generator<Part> {
  const next = Buffer.concat([lineEnd, delimiter]);
  // Anything before the first delimiter or after the last is to be ignored; browsers send nothing there.
  let at = body.subarray(0, delimiter.length).equals(delimiter) ? delimiter.length : -1;
  while (at >= 0) {
    const after = body.toString('latin1', at, at + 2);
    if (after === '--') return;
    if (after !== '\r\n') break;
    const headerAt = at + 2;
    const window = body.subarray(headerAt, headerAt + mostHeaderBytes);
    const headerLength = window.indexOf(headerEnd);
    if (headerLength < 0) break;
    const contentAt = headerAt + headerLength + headerEnd.length;
    const end = body.indexOf(next, contentAt);
    if (end < 0) break;
    yield { header: window.toString('utf8', 0, headerLength), content: body.subarray(contentAt, end) };
    at = end + next.length;
  }
  throw new Refusal('INVALID_BODY');
}

/** Of a part that carries a file. */
function fieldOf(header: string): string | undefined {
  const disposition = header.split('\r\n').find((line) => /^content-disposition:/i.test(line));
  if (disposition === undefined || !/;\s*filename\*?=/i.test(disposition)) return undefined;
  const [, quoted, bare] =
    /^[^:]+:\s*form-data\s*;(?:.*?;)??\s*name=(?:"([^"]*)"|([^\s";]+))/i.exec(disposition) ?? [];
  return quoted ?? bare;
}
