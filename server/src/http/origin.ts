import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Config, isLoopback } from '../config.ts';
import { Refusal } from '../refusal.ts';

const allowedHeaders = 'authorization, content-type, idempotency-key, x-account, x-api-key, x-step-up';
const exposedHeaders =
  'idempotency-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id';

type OriginConfig = Pick<Config, 'publicUrl' | 'noticesUrl' | 'corsOrigins'>;

/**
 * Refuses hosts that are not ours with HOST_NOT_ALLOWED, against DNS rebinding, and pages of other origins with
 * ORIGIN_NOT_ALLOWED, unless CORS_ORIGINS lists them.
 */
export function checkOrigins(server: FastifyInstance, config: OriginConfig): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!isOurHost(request, config)) throw new Refusal('HOST_NOT_ALLOWED');
    if (!request.url.startsWith('/api/')) return;
    reply.header('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || isOwnOrigin(origin, request, config.publicUrl)) return;
    if (!config.corsOrigins.includes(origin)) throw new Refusal('ORIGIN_NOT_ALLOWED');
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', exposedHeaders);
    if (isPreflight(request)) return answerPreflight(reply);
  });
}

/** Load balancers call the health check by any address, and the bank may have its own host name for its notices. */
function isOurHost({ host, hostname, url }: FastifyRequest, config: OriginConfig): boolean {
  if (host === new URL(config.publicUrl).host || isLoopback(hostname)) return true;
  if (url.startsWith('/psp/')) return host === new URL(config.noticesUrl).host;
  return /^\/api\/health(\/live)?$/.test(url);
}

function isOwnOrigin(origin: string, { host }: FastifyRequest, publicUrl: string): boolean {
  return origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host);
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
    .header('access-control-allow-headers', allowedHeaders)
    .header('access-control-max-age', '600')
    .send();
}
