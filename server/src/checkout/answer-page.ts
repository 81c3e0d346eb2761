import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CheckoutEnvironment, CheckoutPage, RenderedPage } from '@jangada/contract';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** Renders a page for payers and sends it. If rendering fails, a bare page is sent instead. */
export type AnswerPage = (reply: FastifyReply, page: CheckoutPage, status?: number) => Promise<FastifyReply>;

type RenderPage = (page: CheckoutPage, surroundings: CheckoutEnvironment) => RenderedPage;

/** Returns the function that sends pages, using the renderer built into `folder`; without one it sends bare pages. */
export function createAnswerPage(
  { config, log }: { readonly config: Pick<Config, 'bankUrl'>; readonly log: Logger },
  folder: string | undefined,
): AnswerPage {
  const surroundings = { bankUrl: config.bankUrl ?? null };
  let loading: Promise<RenderPage> | undefined;
  return async (reply, page, status = 200) => {
    try {
      loading ??= loadRenderer(folder);
      const renderPage = await loading.catch((error) => {
        // The next request tries again, because the renderer may have been built by then.
        loading = undefined;
        throw error;
      });
      return await send(reply, status, renderPage(page, surroundings));
    } catch (err) {
      log.error({ err, page: page.kind }, "a payer's page could not be rendered");
      return sendBarePage(reply);
    }
  };
}

async function loadRenderer(folder: string | undefined): Promise<RenderPage> {
  if (folder === undefined) throw new Error('The pages are not built.');
  // The cast is needed because no schema can validate a function. The module comes from our own build.
  const renderer = (await import(pathToFileURL(join(folder, 'checkout', 'render.js')).href)) as {
    readonly renderPage: RenderPage;
  };
  return renderer.renderPage;
}

// The default quality, 11, is too slow for a page that is compressed anew for each request.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const encodings = {
  br: (html: string) => promisify(brotliCompress)(html, brotliOptions),
  gzip: promisify(gzip),
};

async function send(
  reply: FastifyReply,
  status: number,
  { html, styles }: RenderedPage,
): Promise<FastifyReply> {
  const accepted = reply.request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name));
  const body = encoding === undefined ? html : await encodings[encoding](html);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return setPageHeaders(reply, status, styles).header('vary', 'accept-encoding').send(body);
}

/** Sends a page that does not need the renderer. */
function sendBarePage(reply: FastifyReply): FastifyReply {
  reply.header('retry-after', 60);
  return setPageHeaders(reply, 503, []).send(`<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Página indisponível</title>
<h1>Página indisponível</h1>
<p>Não foi possível mostrar esta página agora. Tente de novo em alguns minutos.</p>
<p>Se você já pagou, o valor será reconhecido: não é preciso pagar outra vez.</p>
</html>
`);
}

function setPageHeaders(reply: FastifyReply, status: number, styles: readonly string[]): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': policyWith(styles),
      'cross-origin-resource-policy': 'same-origin',
      'x-robots-tag': 'noindex',
    });
}

/** Allows only these styles and files of this gateway; nothing else may be loaded, run, framed or submitted to. */
function policyWith(styles: readonly string[]): string {
  const hashes = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  return [
    "default-src 'none'",
    `style-src ${hashes.length === 0 ? "'none'" : hashes.join(' ')}`,
    "script-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
