import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unfilled } from '@jangada/contract/docs';
import type { FastifyInstance } from 'fastify';
import { answerPrinted } from './printed-document.ts';

/**
 * Serves /docs: drawn when the dashboard was built, and filled in with this gateway's address at the first visit, so that
 * its samples are right without a script.
 */
export function serveDocs(server: FastifyInstance, folder: string, publicUrl: string): void {
  const print = () => readFileSync(join(folder, 'docs.html'), 'utf8').replaceAll(unfilled.address, publicUrl);
  server.get('/docs', answerPrinted('text/html; charset=utf-8', print));
}
