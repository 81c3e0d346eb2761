import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { unfilled } from '@jangada/contract/docs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type DocsPage = { readonly html: Buffer; readonly br: Buffer; readonly gzip: Buffer; readonly etag: string };

/**
 * Serves /docs: drawn when the dashboard was built, and filled in with this gateway's address at the first visit, so that
 * its samples are right without a script.
 */
export function serveDocs(server: FastifyInstance, folder: string, publicUrl: string): void {
  let printed: Promise<DocsPage> | undefined;
  server.get('/docs', async (request, reply) => {
    printed ??= printPage(readFileSync(join(folder, 'docs.html'), 'utf8'), publicUrl);
    return answer(request, reply, await printed);
  });
}

async function printPage(drawn: string, publicUrl: string): Promise<DocsPage> {
  const html = Buffer.from(drawn.replaceAll(unfilled.address, publicUrl));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(html, quality), promisify(gzip)(html)]);
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  return { html, br, gzip: gz, etag };
}

function answer(request: FastifyRequest, reply: FastifyReply, page: DocsPage): FastifyReply {
  reply.headers({
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    etag: page.etag,
    vary: 'accept-encoding',
  });
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
  reply.type('text/html; charset=utf-8');
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((one) => accepted.includes(one));
  if (encoding === undefined) return reply.send(page.html);
  return reply.header('content-encoding', encoding).send(page[encoding]);
}
