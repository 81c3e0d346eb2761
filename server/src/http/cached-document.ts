import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { unfilled, usualBankAddress } from '@jangada/contract/docs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A rendered document in each encoding. */
type PrintedDocument = {
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
};

/**
 * A route handler for a document that is identical for everyone: rendered and compressed on first request, then served
 * from memory.
 */
export function answerCachedDocument(contentType: string, print: () => string) {
  let printed: Promise<PrintedDocument> | undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    printed ??= compress(print()).catch((error) => {
      printed = undefined;
      throw error;
    });
    return answer(request, reply.type(contentType), await printed);
  };
}

async function compress(text: string): Promise<PrintedDocument> {
  const plain = Buffer.from(text);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, quality), promisify(gzip)(plain)]);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, br, gzip: gz, etag };
}

function answer(request: FastifyRequest, reply: FastifyReply, printed: PrintedDocument): FastifyReply {
  reply.headers({
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    etag: printed.etag,
    // Added to the `vary` values already set for this request.
    vary: [reply.getHeader('vary'), 'accept-encoding'].filter((value) => value !== undefined).join(', '),
  });
  if (request.headers['if-none-match'] === printed.etag) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name));
  if (encoding === undefined) return reply.send(printed.plain);
  return reply.header('content-encoding', encoding).send(printed[encoding]);
}

/**
 * Serves /docs, which was rendered when the dashboard was built. The first request fills in the addresses of this
 * gateway and of its sandbox bank, so that the samples are correct without JavaScript.
 */
export function serveDocs(
  server: FastifyInstance,
  folder: string,
  {
    publicUrl,
    bankUrl = usualBankAddress,
  }: { readonly publicUrl: string; readonly bankUrl: string | undefined },
): void {
  const print = () =>
    readFileSync(join(folder, 'docs.html'), 'utf8')
      .replaceAll(unfilled.address, publicUrl)
      .replaceAll(unfilled.bankAddress, bankUrl);
  server.get('/docs', answerCachedDocument('text/html; charset=utf-8', print));
}
