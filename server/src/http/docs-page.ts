import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unfilled, usualBankAddress } from '@jangada/contract/docs';
import type { FastifyInstance } from 'fastify';
import { answerCachedDocument } from './cached-document.ts';

/**
 * Serves /docs: prerendered when the dashboard was built, with the addresses of this gateway and of its sandbox bank
 * filled in on the first request, so that its samples are correct without JavaScript.
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
