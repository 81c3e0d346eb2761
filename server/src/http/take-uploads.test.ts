import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { sendError } from './error-response.ts';
import { acceptOnlyUploads } from './limit-uploads.ts';

const upload = {
  fields: ['avatar'],
  maxFileBytes: 1000,
  missing: 'IMAGE_NOT_ACCEPTED',
  tooLarge: 'AVATAR_TOO_LARGE',
} as const;

async function uploadBytes(bytes: number): Promise<unknown> {
  const server = Fastify();
  server.setErrorHandler(sendError);
  server.register(async (scope) => {
    acceptOnlyUploads(scope, upload);
    scope.post('/', () => ({ taken: true }));
  });
  const payload = `--B\r\ncontent-disposition: form-data; name="avatar"; filename="a"\r\n\r\n${'x'.repeat(bytes)}\r\n--B--`;
  const answer = await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    payload,
  });
  return answer.json();
}

test.each([1001, 2_000_000])(
  'a file of %d bytes is refused as too large, with its endpoint’s own code',
  async (bytes) => {
    expect(await uploadBytes(1000)).toEqual({ taken: true });
    expect(await uploadBytes(bytes)).toMatchObject({ error: { code: 'AVATAR_TOO_LARGE' } });
  },
);
