import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Response } from 'playwright-core';

/**
 * Sizes in bytes. The sizes for gzip (level 9) and brotli (quality 11) are computed here from the decoded body, so that
 * results are comparable whatever compression a proxy uses.
 */
export type ByteSizes = {
  readonly raw: number;
  readonly gzip: number;
  readonly brotli: number;
};

/** A response received by the browser. `wire` is the size transferred, with headers. */
export type Body = ByteSizes & { readonly path: string; readonly kind: string; readonly wire: number };

export async function bodyOf(response: Response): Promise<Body> {
  const contentType = (await response.headerValue('content-type')) ?? '';
  const { responseBodySize, responseHeadersSize } = await response.request().sizes();
  return {
    path: new URL(response.url()).pathname,
    kind: kindOf(contentType),
    wire: responseBodySize + responseHeadersSize,
    ...sizesOf(await response.body(), contentType),
  };
}

/** Returns the sizes of a body. Fonts and pictures are compressed already, so all three sizes are the raw size. */
export function sizesOf(body: Buffer, contentType: string): ByteSizes {
  const raw = body.length;
  if (!/text|javascript|json|svg|xml/.test(contentType)) return { raw, gzip: raw, brotli: raw };
  return {
    raw,
    gzip: Math.min(raw, gzipSync(body, { level: 9 }).length),
    brotli: Math.min(raw, brotliCompressSync(body).length),
  };
}

function kindOf(contentType: string): string {
  return (
    ['javascript', 'css', 'html', 'font', 'image', 'json'].find((kind) => contentType.includes(kind)) ??
    'other'
  );
}

export function sumOf(sizes: readonly ByteSizes[]): ByteSizes {
  const total = (size: keyof ByteSizes) => sizes.reduce((sum, byteSizes) => sum + byteSizes[size], 0);
  return { raw: total('raw'), gzip: total('gzip'), brotli: total('brotli') };
}
