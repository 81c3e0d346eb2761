import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../refusal.ts';
import { envelopeOf } from './error-response.ts';

/**
 * Responds, in the error envelope, to requests that Node could not parse and no route sees. A request that timed out
 * gets a 408 without a body.
 */
export function handleUnreadableRequest({ code }: { readonly code: string }, socket: Socket): void {
  if (code !== 'ECONNRESET' && socket.writable)
    socket.write(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? httpResponse('', 408) : refusalResponse(code));
  socket.destroy();
}

function refusalResponse(code: string): string {
  const refusal =
    refusalByParserError.get(code)?.() ??
    new Refusal('INVALID_BODY', { message: 'Isto não é uma requisição HTTP.' });
  const requestId = randomUUID();
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId };
  return httpResponse(JSON.stringify(envelopeOf(refusal, requestId)), refusal.status, headers);
}

/** The refusals that say more than INVALID_BODY, by the error code of Node's HTTP parser. */
const refusalByParserError = new Map([
  ['HPE_INVALID_METHOD', () => new Refusal('METHOD_NOT_ALLOWED')],
  [
    'HPE_HEADER_OVERFLOW',
    () => new Refusal('BODY_TOO_LARGE', { message: 'Os cabeçalhos da requisição são grandes demais.' }),
  ],
]);

function httpResponse(body: string, status: number, headers: Readonly<Record<string, string>> = {}): string {
  const allHeaders = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
