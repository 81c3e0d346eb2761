import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { serveDashboard } from './serve-dashboard.ts';

test('a trailing slash leads to the same page, and double slashes lead to no other host', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-pages-'));
  const server = fastify();
  try {
    for (const name of ['index.html', 'login.html', 'register.html']) writeFileSync(join(folder, name), name);
    await serveDashboard(server, folder);
    const redirectOf = async (url: string) => {
      const { statusCode, headers } = await server.inject({ url });
      return [statusCode, headers.location];
    };
    expect(await redirectOf('/docs/')).toEqual([308, '/docs']);
    expect(await redirectOf('/transactions/?page=2')).toEqual([308, '/transactions?page=2']);
    expect(await redirectOf('/')).toEqual([200, undefined]);
    for (const path of ['//elsewhere/', '/%5Celsewhere/', '/api/pix/'])
      expect((await redirectOf(path))[1], path).toBeUndefined();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
