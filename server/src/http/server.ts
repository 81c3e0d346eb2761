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
import { isWithin, type JsonBounds } from '../json-bounds.ts';
import { Refusal } from '../refusal.ts';
import { limitInFlight } from './admission.ts';
import { boundBodyTime, LONGEST_REQUEST_MS } from './body-time.ts';
import { answerError } from './error-response.ts';
import { limitPipelining } from './limit-pipelining.ts';
import { checkOrigins } from './origin.ts';
import { secureHeaders } from './secure-headers.ts';
import { endStalledWrites, STALLED_MS, writeInPieces } from './stalled-writes.ts';
import { answerUnreadable } from './unreadable-request.ts';

export type ServerOptions = {
  readonly config: Pick<Config, 'publicUrl' | 'noticesUrl' | 'corsOrigins' | 'trustProxy'>;
  readonly log: Logger;
  /** Speaks TLS, and only to who shows a certificate of this authority. */
  readonly mutualTls?: { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer };
  /** Policy of the pages. */
  readonly contentSecurityPolicy: string;
  /** Requests under way at once: calls of the API, notices of the bank, and pages of payers. */
  readonly inFlight?: InFlight;
  /** Within which a request must have come in whole, its body too; a larger one than usual has longer. */
  readonly requestTimeoutMs?: number;
  /** A connection ends when nothing of what is written to it was taken for this long. */
  readonly stalledMs?: number;
};

type InFlight = { readonly calls: number; readonly notices: number; readonly pages?: number };

const bodyLimit = 64 * 1024;
const keepAliveTimeout = 65_000;
/** More than Node reads of a request line. */
const longestPath = 64 * 1024;
/**
 * Calls that come together are done together, so fewer at once would make less of them: with half as many the gateway
 * creates a third fewer charges a second, with twice as many hardly more, and each waits twice as long.
 */
const defaultInFlight: InFlight = { calls: 128, notices: 256 };
/** Drawn on the one thread that also takes the bank's notices. */
const defaultPagesInFlight = 64;

/** An HTTP server that answers every refusal in the one envelope, and to nobody but who may ask. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { config, contentSecurityPolicy, inFlight = defaultInFlight } = options;
  const { requestTimeoutMs = 10_000, stalledMs = STALLED_MS } = options;
  const timeouts = { requestTimeout: LONGEST_REQUEST_MS, keepAliveTimeout };
  // Node takes the longer of both times for the whole request, and looks every half minute unless told.
  const listener = { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: 1000 };
  const log: FastifyBaseLogger = options.log;
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit,
    // A path is as long as its request line may be: what it names is for its endpoint to say.
    routerOptions: { maxParamLength: longestPath },
    ...timeouts,
    forceCloseConnections: 'idle',
    // What reaches a process that stops is answered like everything else: a proxy sends it there in good faith.
    return503OnClosing: false,
    ...(options.mutualTls
      ? { serverFactory: mutualTlsServer(options.mutualTls, { ...timeouts, ...listener }) }
      : { http: listener }),
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (_error, request, reply) => {
      answerError(new Refusal('NOT_FOUND'), request, reply);
    },
  });
  limitPipelining(server);
  endStalledWrites(server.server, stalledMs);
  writeInPieces(server);
  takeOnlyJson(server);
  logAnswers(server, options.log);
  server.setErrorHandler(answerError);
  secureHeaders(server, { contentSecurityPolicy, https: config.publicUrl.startsWith('https:') });
  checkOrigins(server, config);
  boundBodyTime(server, { usualMs: requestTimeoutMs, usualBytes: bodyLimit });
  limitInFlight(server, { covers: isNotice, limit: inFlight.notices });
  limitInFlight(server, { covers: isCall, limit: inFlight.calls });
  limitInFlight(server, { covers: isPayersPage, limit: inFlight.pages ?? defaultPagesInFlight });
  return server;
}

function mutualTlsServer(tls: NonNullable<ServerOptions['mutualTls']>, timing: ServerTiming) {
  return (handler: RequestListener): Server => {
    const strict = { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' as const };
    // Fastify needs of a server what both kinds have; its types name one.
    return createTlsServer({ ...tls, ...strict, ...timing }, handler);
  };
}

const isNotice = (url: string) => url.startsWith('/psp/');
const isPayersPage = (url: string) => /^\/(?:pagar|comprovante|link|balcao)\//.test(url);
/** Health must answer when everything is busy; an open socket is no work, nor is what was printed before. */
const uncounted = ['/api/health', '/api/notifications/ws', '/api/openapi.json'];
const isCall = (url: string) =>
  url.startsWith('/api/') && !uncounted.some((beginning) => url.startsWith(beginning));

/** No call has fields this far inside others, nor so many. */
const callBounds: JsonBounds = { depth: 32, values: 10_000 };
/** A bank tells of up to a thousand Pix at once, each with its returns. */
const noticeBounds: JsonBounds = { depth: 32, values: 200_000 };
const beyondBounds = 'Há campos demais, ou campos demais uns dentro dos outros.';

/**
 * A body is JSON or refused; none at all is no body, whatever its header says. A call that is not UTF-8 is refused rather
 * than read with its accents lost: an older system may send Latin-1. A bank's notice is heard all the same.
 */
function takeOnlyJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else if (isCall(request.url) && !isUtf8(body))
      done(new Refusal('INVALID_BODY', { message: 'O corpo não está em UTF-8.' }));
    else {
      const text = body.toString();
      if (isWithin(text, isNotice(request.url) ? noticeBounds : callBounds)) parse(request, text, done);
      else done(new Refusal('INVALID_BODY', { message: beyondBounds }));
    }
  });
}

/** Who asks for health asks all the time, and is told in the answer what is wrong. */
function levelOf({ url }: FastifyRequest, { statusCode }: FastifyReply): 'warn' | 'info' | 'debug' {
  if (url.startsWith('/api/health')) return statusCode >= 500 ? 'info' : 'debug';
  return statusCode >= 500 ? 'warn' : 'info';
}

/** One line for each answer. Queries are left out: tickets and searches stand in them. */
function logAnswers(server: FastifyInstance, log: Logger): void {
  // All that such a line carries is named here: to search it for secrets would cost more than to write it.
  const answers = log.child({}, { redact: [] });
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  server.addHook('onResponse', async (request, reply) => {
    answers[levelOf(request, reply)](
      {
        requestId: request.id,
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        merchantId: request.caller?.userId,
      },
      'answered',
    );
  });
}

/**
 * The route rather than what was asked where there is one: secrets stand in some paths. Of an address that is none
 * of the API's only the beginning: it may be such a path with something wrong behind it.
 */
function pathOf({ routeOptions, url }: FastifyRequest): string {
  const path = url.split('?')[0] ?? '';
  if (routeOptions.url !== undefined) return routeOptions.url;
  return path.startsWith('/api/') ? path : path.replace(/^(\/?[^/]*)\/.*$/s, '$1/…');
}

/** Answers what no route does: 405 where another method would have found one, 404 elsewhere under /api. */
export function answerUnknownCalls(server: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const known = endpoints.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new Refusal('NOT_FOUND');
    reply.header('allow', methods.join(', '));
    throw new Refusal('METHOD_NOT_ALLOWED');
  });
}
