import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defaultBankAddress, placeholderValues } from '@jangada/contract/docs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A rendered document in each encoding. */
type RenderedDocument = {
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
};

/**
 * A route handler for a document that is identical for everyone: rendered and compressed on first request, then served
 * from memory.
 */
export function createDocumentHandler(contentType: string, render: () => string) {
  let rendered: Promise<RenderedDocument> | undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // A failure is not kept: the next request renders the document again.
    rendered ??= compress(render()).catch((error) => {
      rendered = undefined;
      throw error;
    });
    return sendDocument(request, reply.type(contentType), await rendered);
  };
}

async function compress(text: string): Promise<RenderedDocument> {
  const plain = Buffer.from(text);
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, brotliOptions),
    promisify(gzip)(plain),
  ]);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { plain, br, gzip: gz, etag };
}

function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: RenderedDocument,
): FastifyReply {
  reply.headers({
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    etag: rendered.etag,
    // Added to the `vary` values already set for this request.
    vary: [reply.getHeader('vary'), 'accept-encoding'].filter((value) => value !== undefined).join(', '),
  });
  if (request.headers['if-none-match'] === rendered.etag) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name));
  if (encoding === undefined) return reply.send(rendered.plain);
  return reply.header('content-encoding', encoding).send(rendered[encoding]);
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
    bankUrl = defaultBankAddress,
  }: { readonly publicUrl: string; readonly bankUrl: string | undefined },
): void {
  const renderDocs = () =>
    readFileSync(join(folder, 'docs.html'), 'utf8')
      .replaceAll(placeholderValues.address, publicUrl)
      .replaceAll(placeholderValues.bankAddress, bankUrl);
  server.get('/docs', createDocumentHandler('text/html; charset=utf-8', renderDocs));
}
