import type { Buffer } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { answerError, isTooLarge } from './error-response.ts';
import { boundaryOf, longestUpload, readMultipart, type Upload } from './read-multipart.ts';

/** Refuses a call that is not multipart with UNSUPPORTED_MEDIA_TYPE, before its body is read. */
export function refuseOtherBodies({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (boundaryOf(headers['content-type']) === undefined)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { message: 'Envie os arquivos como multipart/form-data.' });
}

/** Makes the routes of a scope accept only the files of an upload as their body. */
export function takeUploads(scope: FastifyInstance, upload: Upload): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: longestUpload(upload) },
    async (request: FastifyRequest, body: Buffer) =>
      readMultipart(body, boundaryOf(request.headers['content-type']) ?? '', upload),
  );
  scope.setErrorHandler((error, request, reply) =>
    answerError(isTooLarge(error) ? new Refusal(upload.tooLarge) : error, request, reply),
  );
}
