import type { Endpoint } from '@jangada/contract';
import { Refusal } from '../refusal.ts';

/** The contract of an upload: its fields, the limit of one file in bytes, and the codes of its refusals. */
export type Upload = NonNullable<Endpoint['upload']>;
/** The uploaded files by field. */
export type UploadedFiles = Readonly<Record<string, Buffer>>;

/** Room in the body for the headers of its parts, and for files slightly above their limit. */
const slackBytes = 1024 * 1024;
/** The longest accepted header of one part. */
const maxHeaderBytes = 2048;

/**
 * The body limit of an upload, in bytes. A body with a file slightly too large is still read, so that it can be refused
 * with the upload's own code.
 */
export function maxUploadBodyBytes({ fields, maxFileBytes }: Upload): number {
  return fields.length * maxFileBytes + slackBytes;
}

/** @returns the boundary of a `multipart/form-data` body, undefined for other content types */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, bare] =
    /^multipart\/form-data;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";]{1,70})(?:[\s;]|$))/i.exec(
      contentType ?? '',
    ) ?? [];
  return quoted ?? bare;
}

/**
 * Parses a `multipart/form-data` body (RFC 7578): exactly one file per field of the upload, in any order. The files are
 * views of the body. Refused with INVALID_BODY, or with the upload's own codes.
 */
export function readMultipart(body: Buffer, boundary: string, upload: Upload): UploadedFiles {
  const files = new Map<string, Buffer>();
  for (const part of splitParts(body, Buffer.from(`--${boundary}`, 'latin1'))) {
    const field = fieldOf(part.header);
    if (field === undefined || !upload.fields.includes(field) || files.has(field))
      throw new Refusal('INVALID_BODY');
    if (part.content.length > upload.maxFileBytes) throw new Refusal(upload.tooLarge);
    files.set(field, part.content);
  }
  // A browser sends an empty file for a file input left empty.
  if (upload.fields.some((field) => !files.get(field)?.length)) throw new Refusal(upload.missing);
  return Object.fromEntries(files);
}

type Part = { readonly header: string; readonly content: Buffer };

const lineEnd = Buffer.from('\r\n');
const headerEnd = Buffer.from('\r\n\r\n');

function* splitParts(body: Buffer, delimiter: Buffer): Generator<Part> {
  const nextDelimiter = Buffer.concat([lineEnd, delimiter]);
  // RFC 7578 allows ignored text before the first delimiter and after the last; browsers send none.
  let position = body.subarray(0, delimiter.length).equals(delimiter) ? delimiter.length : -1;
  while (position >= 0) {
    const twoBytes = body.toString('latin1', position, position + 2);
    if (twoBytes === '--') return;
    if (twoBytes !== '\r\n') break;
    const headerStart = position + 2;
    const window = body.subarray(headerStart, headerStart + maxHeaderBytes);
    const headerLength = window.indexOf(headerEnd);
    if (headerLength < 0) break;
    const contentStart = headerStart + headerLength + headerEnd.length;
    const end = body.indexOf(nextDelimiter, contentStart);
    if (end < 0) break;
    yield { header: window.toString('utf8', 0, headerLength), content: body.subarray(contentStart, end) };
    position = end + nextDelimiter.length;
  }
  throw new Refusal('INVALID_BODY');
}

/** The field name of a part that contains a file; undefined for other parts. */
function fieldOf(header: string): string | undefined {
  const disposition = header.split('\r\n').find((line) => /^content-disposition:/i.test(line));
  if (disposition === undefined || !/;\s*filename\*?=/i.test(disposition)) return undefined;
  const [, quoted, bare] =
    /^[^:]+:\s*form-data\s*;(?:.*?;)??\s*name=(?:"([^"]*)"|([^\s";]+))/i.exec(disposition) ?? [];
  return quoted ?? bare;
}
