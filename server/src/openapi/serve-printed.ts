import { printLlms } from '@jangada/contract/docs';
import type { FastifyInstance } from 'fastify';
import { answerPrinted } from '../http/printed-document.ts';
import { printOpenApi } from './print-openapi.ts';

/** The contract for programs: OpenAPI, and the documentation as one text. Each is printed when somebody first asks. */
export function servePrinted(
  server: FastifyInstance,
  about: { readonly version: string; readonly publicUrl: string; readonly bankUrl?: string | undefined },
): void {
  server.get(
    '/api/openapi.json',
    answerPrinted('application/json; charset=utf-8', () => JSON.stringify(printOpenApi(about))),
  );
  server.get(
    '/llms.txt',
    answerPrinted('text/plain; charset=utf-8', () => printLlms(about.publicUrl, about.bankUrl)),
  );
}
