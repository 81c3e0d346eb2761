import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { placeholderValues } from '@jangada/contract/docs';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { serveDocs } from './cached-document.ts';

test('the documentation contains the gateway’s and the bank’s addresses, is compressed as the browser allows, and is cached', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-docs-'));
  const server = fastify();
  try {
    const template = `<p>curl '${placeholderValues.address}/api/pix/new' '${placeholderValues.bankAddress}/sandbox/payments'</p>`;
    writeFileSync(join(folder, 'docs.html'), template);
    serveDocs(server, folder, { publicUrl: 'https://pix.example.com', bankUrl: 'http://localhost:4711' });
    const get = (headers: Record<string, string>) => server.inject({ url: '/docs', headers });
    const expectedPage =
      "<p>curl 'https://pix.example.com/api/pix/new' 'http://localhost:4711/sandbox/payments'</p>";

    const plain = await get({});
    expect(plain.body).toBe(expectedPage);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    });
    const br = await get({ 'accept-encoding': 'gzip, deflate, br' });
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(expectedPage);
    const gzip = await get({ 'accept-encoding': 'gzip' });
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(expectedPage);
    const revalidated = await get({ 'if-none-match': String(plain.headers.etag) });
    expect([revalidated.statusCode, revalidated.body]).toEqual([304, '']);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
