import { printLlms } from '@jangada/contract/docs';
import type { FastifyInstance } from 'fastify';
import { createDocumentHandler } from '../http/cached-document.ts';
import { buildOpenApi } from './build-openapi.ts';

/**
 * Serves the machine-readable contract: the OpenAPI document, and the documentation as plain text. Each is rendered on
 * first request.
 */
export function serveApiDocuments(
  server: FastifyInstance,
  about: { readonly version: string; readonly publicUrl: string; readonly bankUrl?: string | undefined },
): void {
  server.get(
    '/api/openapi.json',
    createDocumentHandler('application/json; charset=utf-8', () => JSON.stringify(buildOpenApi(about))),
  );
  server.get(
    '/llms.txt',
    createDocumentHandler('text/plain; charset=utf-8', () => printLlms(about.publicUrl, about.bankUrl)),
  );
}
