import { printLlms } from '@jangada/contract/docs';
import type { FastifyInstance } from 'fastify';
import { printOpenApi } from './print-openapi.ts';

/** The contract for programs: OpenAPI, and the documentation as one text. Each is printed when somebody first asks. */
export function servePrinted(
  server: FastifyInstance,
  about: { readonly version: string; readonly publicUrl: string },
): void {
  let openApi: ReturnType<typeof printOpenApi> | undefined;
  let llms: string | undefined;
  server.get('/api/openapi.json', () => {
    openApi ??= printOpenApi(about);
    return openApi;
  });
  server.get('/llms.txt', (_request, reply) => {
    llms ??= printLlms(about.publicUrl);
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(llms);
  });
}
