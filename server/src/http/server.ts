import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { RequestListener, Server, ServerOptions as ServerTiming } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Endpoint } from '@jangada/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isWithinJsonBounds, type JsonBounds } from '../json-bounds.ts';
import { Refusal } from '../refusal.ts';
import { LONGEST_REQUEST_MS, limitBodyTime } from './body-time.ts';
import { sendError } from './error-response.ts';
import { limitInFlight } from './limit-in-flight.ts';
import { checkOrigins } from './origin.ts';
import { secureHeaders } from './secure-headers.ts';
import { endStalledWrites, limitPipelining, STALLED_MS, writeInPieces } from './stalled-writes.ts';
import { handleUnreadableRequest } from './unreadable-request.ts';

export type ServerOptions = {
  readonly config: Pick<Config, 'publicUrl' | 'noticesUrl' | 'corsOrigins' | 'trustProxy'>;
  readonly log: Logger;
  /** Serve TLS, and require a client certificate of this authority. */
  readonly mutualTls?: { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer };
  /** The content security policy, sent with every response. */
  readonly contentSecurityPolicy: string;
  /** How many API calls, notices (callbacks of the bank about payments) and payers' pages are processed at once. */
  readonly inFlight?: InFlight;
  /** Time in which a request must have arrived in full, body included; routes with larger bodies allow more. */
  readonly requestTimeoutMs?: number;
  /** A connection is closed when the client has read nothing of what was written to it for this long. */
  readonly stalledMs?: number;
};

type InFlight = { readonly calls: number; readonly notices: number; readonly pages?: number };

/** The longest body in bytes, except on routes that set a limit of their own. */
const bodyLimit = 64 * 1024;
/** Longer than the 60 seconds for which nginx keeps an idle connection, so that nginx reuses none that Node closes. */
const keepAliveTimeout = 65_000;
/** Longer than any path that Node accepts in a request line, in characters. */
const maxPathLength = 64 * 1024;
/**
 * Concurrent calls are batched, so a lower limit reduces throughput. Half this limit costs a third of the charges per
 * second; twice this limit gains hardly anything and doubles the latency.
 */
const defaultInFlight: InFlight = { calls: 128, notices: 256 };
/** Fewer than API calls, because pages are rendered on the single thread that also receives the bank's notices. */
const defaultPagesInFlight = 64;

/**
 * Creates an HTTP server that sends every refusal in the error envelope, checks hosts and origins and enforces all
 * limits.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { config, contentSecurityPolicy, inFlight = defaultInFlight } = options;
  const { requestTimeoutMs = 10_000, stalledMs = STALLED_MS } = options;
  const timeouts = { requestTimeout: LONGEST_REQUEST_MS, keepAliveTimeout };
  // Node allows a whole request the longer of `headersTimeout` and `requestTimeout`, and by default checks only every
  // 30 seconds.
  const headerTimeouts = { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: 1000 };
  const log: FastifyBaseLogger = options.log;
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    rewriteUrl: ({ url = '/' }) => normalizeUrl(url),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit,
    // Path parameters may be as long as the request line allows: validation is up to their endpoint.
    routerOptions: { maxParamLength: maxPathLength },
    ...timeouts,
    forceCloseConnections: 'idle',
    // Requests during the shutdown are answered as usual, because a proxy may not know yet that this process ends.
    return503OnClosing: false,
    ...(options.mutualTls
      ? { serverFactory: mutualTlsServer(options.mutualTls, { ...timeouts, ...headerTimeouts }) }
      : { http: headerTimeouts }),
    clientErrorHandler: handleUnreadableRequest,
    // Fastify raises these errors for URLs that it cannot decode.
    frameworkErrors: (_error, request, reply) => {
      sendError(new Refusal('NOT_FOUND'), request, reply);
    },
  });
  limitPipelining(server);
  endStalledWrites(server.server, stalledMs);
  writeInPieces(server);
  acceptOnlyJson(server);
  logResponses(server, options.log);
  server.setErrorHandler(sendError);
  secureHeaders(server, { contentSecurityPolicy, https: config.publicUrl.startsWith('https:') });
  checkOrigins(server, config);
  limitBodyTime(server, { timeoutMs: requestTimeoutMs, usualBodyLimit: bodyLimit });
  limitInFlight(server, { isLimited: isNotice, limit: inFlight.notices });
  limitInFlight(server, { isLimited: isApiCall, limit: inFlight.calls });
  limitInFlight(server, { isLimited: isPayerPage, limit: inFlight.pages ?? defaultPagesInFlight });
  return server;
}

/**
 * The same path can also be sent as an absolute URL, or with percent-encoded letters (RFC 3986, 6.2.2.2). The router
 * accepts all these forms, but checks such as `isApiCall` compare the beginning of the path, so router and checks get
 * the plain form.
 */
function normalizeUrl(url: string): string {
  const [path = '', ...query] = url.replace(/^https?:\/\/[^/?]*(?=[/?])/i, '').split('?');
  const plain = path.replace(/%[2-7][\da-f]/gi, (encoded) => {
    const letter = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w~-]/.test(letter) ? letter : encoded;
  });
  return [plain, ...query].join('?');
}

function mutualTlsServer(tls: NonNullable<ServerOptions['mutualTls']>, timing: ServerTiming) {
  return (handler: RequestListener): Server => {
    const clientCertificate = { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' as const };
    // Fastify uses only what HTTP and HTTPS servers have in common, but its types name the HTTP server.
    return createTlsServer({ ...tls, ...clientCertificate, ...timing }, handler);
  };
}

const isNotice = (url: string) => url.startsWith('/psp/');
const isPayerPage = (url: string) => /^\/(?:pagar|comprovante|link|balcao|autorizar|c|lembretes)\//.test(url);
/**
 * Calls that need no slot: health must respond under full load, an open WebSocket occupies nothing, and the OpenAPI
 * document is served from memory.
 */
const unlimitedPaths = ['/api/health', '/api/notifications/ws', '/api/openapi.json'];
const isApiCall = (url: string) =>
  url.startsWith('/api/') && !unlimitedPaths.some((path) => url.startsWith(path));

/** No legitimate call is nested more deeply or has more values. */
const callBounds: JsonBounds = { depth: 32, values: 10_000 };
/** A bank reports up to a thousand Pix at once, each with its returns. */
const noticeBounds: JsonBounds = { depth: 32, values: 200_000 };
/** A batch has up to ten thousand charges, each with its terms. */
const batchBounds: JsonBounds = { depth: 32, values: 400_000 };
const beyondBoundsMessage = 'Há campos demais, ou campos demais uns dentro dos outros.';

function boundsOf(url: string): JsonBounds {
  if (isNotice(url)) return noticeBounds;
  return url === '/api/pix/batches' ? batchBounds : callBounds;
}

/**
 * Accepts only JSON bodies; an empty body counts as none, whatever its content type. An API call whose body is not
 * valid UTF-8 (older systems send Latin-1) is refused with INVALID_BODY, because decoding would destroy its accented
 * letters. A bank's notice is accepted in any encoding.
 */
function acceptOnlyJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else if (isApiCall(request.url) && !isUtf8(body))
      done(new Refusal('INVALID_BODY', { message: 'O corpo não está em UTF-8.' }));
    else {
      const text = body.toString();
      if (isWithinJsonBounds(text, boundsOf(request.url))) parse(request, text, done);
      else done(new Refusal('INVALID_BODY', { message: beyondBoundsMessage }));
    }
  });
}

/**
 * The health check is polled constantly, and its response already says what is wrong, so it is logged at lower levels.
 */
function logLevelOf({ url }: FastifyRequest, { statusCode }: FastifyReply): 'warn' | 'info' | 'debug' {
  if (url.startsWith('/api/health')) return statusCode >= 500 ? 'info' : 'debug';
  return statusCode >= 500 ? 'warn' : 'info';
}

/** Logs one line per response, without the query string, which may contain tickets or search terms. */
function logResponses(server: FastifyInstance, log: Logger): void {
  // Redaction is off because every field of the line is listed here, and searching it for secrets would cost more than
  // writing it.
  const responseLog = log.child({}, { redact: [] });
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  server.addHook('onResponse', async (request, reply) => {
    responseLog[logLevelOf(request, reply)](
      {
        requestId: request.id,
        method: request.method,
        path: loggedPathOf(request),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        merchantId: request.caller?.accountId,
      },
      'answered',
    );
  });
}

/**
 * Returns the pattern of the request's route instead of the path itself, because some paths contain secrets. If no
 * route matches, a path outside the API is cut after its first segment: it may be a mistyped path with a secret in it.
 */
function loggedPathOf({ routeOptions, url }: FastifyRequest): string {
  const path = url.split('?')[0] ?? '';
  if (routeOptions.url !== undefined) return routeOptions.url;
  return path.startsWith('/api/') ? path : path.replace(/^(\/?[^/]*)\/.*$/s, '$1/…');
}

/**
 * Refuses calls without a route: with METHOD_NOT_ALLOWED (405) if the path exists with another method, otherwise with
 * NOT_FOUND (404).
 */
export function refuseUnknownCalls(server: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const patterns = endpoints.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new Refusal('NOT_FOUND');
    reply.header('allow', methods.join(', '));
    throw new Refusal('METHOD_NOT_ALLOWED');
  });
}
