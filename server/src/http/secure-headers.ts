import type { FastifyInstance } from 'fastify';

export type SecureHeadersOptions = { readonly contentSecurityPolicy: string; readonly https: boolean };

/** Content security policy for pages that call only this gateway. */
export const defaultContentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ');

/** Browser security headers (OWASP ASVS 5.0, 3.4). */
export function secureHeaders(server: FastifyInstance, options: SecureHeadersOptions): void {
  const headers = {
    'content-security-policy': options.contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(options.https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}
