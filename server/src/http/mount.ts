import { parse as parseQueryString } from 'node:querystring';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { batch, type Endpoint } from '@jangada/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets.ts';
import { type Authentication, authenticate, authorize } from './authenticate.ts';
import { checkRefusal, checkResponse, type ReportMismatch } from './check-answer.ts';
import { envelopeOf, refusalOf } from './error-response.ts';
import { FileResponse, sendFile } from './file-response.ts';
import { GuessLimit } from './guess-limit.ts';
import { readIdempotencyKey, runIdempotent } from './idempotency.ts';
import { acceptOnlyUploads, createUploadLimit, refuseNonMultipart } from './limit-uploads.ts';
import { networkOf } from './network-of.ts';
import { parseBody, parseParams, parseQuery } from './parse-call.ts';
import { RateLimit } from './rate-limit.ts';
import { maxUploadBodyBytes } from './read-multipart.ts';
import type { Call, Caller, Route, RouteResponse } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/** Recognises browsers without a session by a random identifier (`device`) in a cookie. */
export type Devices = {
  findDevice(cookieHeader: string | undefined): string | undefined;
  createDevice(): { device: string; setCookie: string };
};

export type MountOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly authentication: Authentication;
  /** Calls per caller and minute; 0 for no limit. */
  readonly rateLimit: number;
  /** Counts failed authentications by network, for all kinds of secrets together. */
  readonly guesses?: GuessLimit;
  readonly devices?: Devices;
  /** If set, every response is checked against the contract, for tests. A mismatch is reported, and becomes an error. */
  readonly reportMismatch?: ReportMismatch;
};

/** Few, because each upload is held in memory in full. */
const uploadsAtOnce = 8;

/** Mounts the routes under /api, each with the checks its contract requires. */
export function mountRoutes(server: FastifyInstance, routes: readonly Route[], options: MountOptions): void {
  const limits = {
    calls: new RateLimit(options.rateLimit),
    guesses: options.guesses ?? new GuessLimit(),
  };
  // Separate limits: uploads of documents (multipart) must not block those of dispute defences (JSON).
  const takeMultipartSlot = createUploadLimit(server, uploadsAtOnce);
  const takeLargeJsonSlot = createUploadLimit(server, uploadsAtOnce);
  server.decorateRequest('caller', undefined);
  const answerCall = createCallAnswerer(routes, limits.calls, options);
  for (const route of routes) {
    const { method, path, tag, upload, maxBodyBytes } = route.endpoint;
    const bodyLimit = upload === undefined ? maxBodyBytes : maxUploadBodyBytes(upload);
    const admit = async (request: FastifyRequest, reply: FastifyReply) => {
      request.caller = await identify(route.endpoint, request, limits.guesses, options.authentication);
      // Calls about the gateway itself, such as the health check, are polled often and do not count.
      if (tag !== 'Gateway') enforceRateLimit(limits.calls, request, reply);
      refuseOtherAccount(route.endpoint, request);
      authorize(route.endpoint, request.caller, options.authentication);
      if (upload !== undefined) refuseNonMultipart(request);
      const takeSlot = upload === undefined ? takeLargeJsonSlot : takeMultipartSlot;
      if (bodyLimit !== undefined) takeSlot(request, reply);
    };
    const mount = (scope: FastifyInstance) =>
      scope.route({
        method,
        url: `/api${path.replace(/\{(\w+)\}/g, ':$1')}`,
        ...(bodyLimit !== undefined && { bodyLimit }),
        // Runs before the body is read, so that the gateway parses no body of an unauthenticated caller.
        onRequest: (request, reply) =>
          checkRefusal(route.endpoint, admit(request, reply), options.reportMismatch),
        handler: (request, reply) => {
          const answer = handleRequest(route, request, reply, { ...options, answerCall });
          return checkRefusal(route.endpoint, answer, options.reportMismatch);
        },
      });
    if (upload === undefined) mount(server);
    else
      server.register(async (scope) => {
        acceptOnlyUploads(scope, upload);
        mount(scope);
      });
  }
}

async function identify(
  endpoint: Endpoint,
  request: FastifyRequest,
  guesses: GuessLimit,
  authentication: Authentication,
): Promise<Caller | undefined> {
  const { access } = endpoint;
  if (access === 'public') return undefined;
  const key = request.headers['x-api-key'];
  const secret = typeof key === 'string' ? key : request.headers.authorization;
  return guesses.guard(networkOf(request.ip), () => authenticate(access, request, authentication), secret);
}

/**
 * Refuses a call for an account from a screen that shows another one: in another tab, the session has meanwhile entered
 * another account. Such a screen names its account in the header x-account. A key always acts for the same account.
 */
function refuseOtherAccount({ permission, name }: Endpoint, { headers, caller }: FastifyRequest): void {
  const shownAccount = headers['x-account'];
  const concernsAccount = permission !== 'own' || name === batch.name;
  if (shownAccount === undefined || caller?.authMethod !== 'session' || !concernsAccount) return;
  if (shownAccount !== String(caller.accountId)) throw new Refusal('ACCOUNT_SWITCHED');
}

function enforceRateLimit(calls: RateLimit, request: FastifyRequest, reply: FastifyReply): void {
  if (calls.limit === 0) return;
  // The sign # keeps a user's id apart from the network of a caller without an account.
  const allowance = calls.take(
    request.caller === undefined ? networkOf(request.ip) : `#${request.caller.userId}`,
  );
  reply.headers({
    'ratelimit-limit': calls.limit,
    'ratelimit-remaining': allowance.remaining,
    'ratelimit-reset': allowance.resetSeconds,
  });
  if (!allowance.allowed) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: allowance.resetSeconds });
}

async function handleRequest(
  { endpoint, handle, claimsKeys }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  options: MountOptions & { readonly answerCall: CallAnswerer },
): Promise<unknown> {
  const device = deviceFor(endpoint, request, reply, options.devices);
  const call: Call<Endpoint> = {
    ...parseCall(endpoint, request, device),
    answerCall: (path) => options.answerCall(path, request, call),
  };
  const status = endpoint.status ?? 200;
  const { reportMismatch } = options;
  const execute = async (idempotency?: Call<Endpoint>['idempotency']) => {
    const body = await handle(idempotency === undefined ? call : { ...call, idempotency });
    if (reportMismatch) checkResponse(endpoint, body, reportMismatch);
    return { status, body };
  };
  const key = endpoint.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : undefined;
  if (endpoint.name === batch.name) return sendCompressed(request, reply, await execute());
  if (key === undefined || request.caller === undefined) return send(reply, await execute());
  const keyedCall = {
    merchantId: request.caller.accountId,
    route: `${endpoint.method} ${calledPath(endpoint, call.params)}`,
    key,
    body: call.body,
    status,
    isClaimedByHandler: claimsKeys,
  };
  const response = await runIdempotent(options, keyedCall, (idempotency) =>
    catchRefusal(checkRefusal(endpoint, execute(idempotency), reportMismatch), request.id),
  );
  if (response.replayed) reply.header('idempotency-replayed', 'true');
  return send(reply, response);
}

/** Identifies a caller without a session by a cookie of their browser, and sets that cookie if the browser has none. */
function deviceFor(
  { access, method }: Endpoint,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  devices: Devices | undefined,
): string | undefined {
  if (devices === undefined || access !== 'public' || method === 'GET') return undefined;
  const knownDevice = devices.findDevice(headers.cookie);
  if (knownDevice !== undefined) return knownDevice;
  const { device, setCookie } = devices.createDevice();
  reply.header('set-cookie', setCookie);
  return device;
}

type CallAnswerer = (
  path: string,
  request: FastifyRequest,
  call: Call<Endpoint>,
) => Promise<{ readonly status: number; readonly body: unknown }>;

/**
 * Answers one call of a batch: with the checks of its own endpoint, for the caller of the batch, who is identified
 * already. Every such call counts towards the caller's limit, a public one too.
 */
function createCallAnswerer(
  routes: readonly Route[],
  calls: RateLimit,
  { authentication, reportMismatch }: Pick<MountOptions, 'authentication' | 'reportMismatch'>,
): CallAnswerer {
  const batchable = new Map(
    routes
      .filter(({ endpoint }) => endpoint.isBatchable)
      .map((route) => [route.endpoint.path as string, route]),
  );
  const answer = async (route: Route | undefined, query: string, call: Call<Endpoint>) => {
    if (route === undefined) throw new Refusal('NOT_FOUND');
    const { endpoint, handle } = route;
    const caller = endpoint.access === 'public' ? undefined : call.caller;
    if (calls.limit > 0 && endpoint.tag !== 'Gateway') {
      const allowance = calls.take(`#${call.caller?.userId}`);
      if (!allowance.allowed)
        throw new Refusal('RATE_LIMITED', { retryAfterSeconds: allowance.resetSeconds });
    }
    authorize(endpoint, caller, authentication);
    const parsed = { caller, params: undefined, query: parseQuery(endpoint, { ...parseQueryString(query) }) };
    const body = await handle({ ...call, ...parsed } as Call<Endpoint>);
    if (reportMismatch) checkResponse(endpoint, body, reportMismatch);
    return { status: endpoint.status ?? 200, body };
  };
  return async (path, request, call) => {
    const [pathname = '', ...query] = path.split('?');
    const route = batchable.get(pathname);
    const answering = checkRefusal(route?.endpoint, answer(route, query.join('?'), call), reportMismatch);
    const outcome = await answering.catch((error: unknown) => {
      const refusal = refusalOf(error, request);
      return { status: refusal.status, body: envelopeOf(refusal, request.id) };
    });
    const { status } = outcome;
    request.log.info({ path: route?.endpoint.path, status }, 'answered a call of a batch');
    return outcome;
  };
}

function parseCall(
  endpoint: Endpoint,
  request: FastifyRequest,
  device: string | undefined,
): Omit<Call<Endpoint>, 'answerCall'> {
  const call = {
    params: parseParams(endpoint, request.params),
    query: parseQuery(endpoint, request.query),
    body: parseBody(endpoint, request.body),
    files: endpoint.upload && request.body,
    caller: request.caller,
    requestId: request.id,
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    device,
    stepUp: [request.headers['x-step-up']].flat()[0],
  };
  // Only the handler knows its endpoint's types; here all endpoints are treated alike.
  return call as Omit<Call<Endpoint>, 'answerCall'>;
}

/** Returns the path as called, without the query string. */
function calledPath({ path }: Endpoint, params: unknown): string {
  const values = new Map<string, unknown>(Object.entries(params ?? {}));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

async function catchRefusal(response: Promise<RouteResponse>, requestId: string): Promise<RouteResponse> {
  try {
    return await response;
  } catch (error) {
    // A refusal with a retry time is not final, so it is thrown on: sent with its Retry-After header, but not stored.
    if (!(error instanceof Refusal) || error.retryAfterSeconds !== undefined) throw error;
    return { status: error.status, body: envelopeOf(error, requestId), errorCode: error.code };
  }
}

function send(reply: FastifyReply, { status, body }: RouteResponse): FastifyReply {
  return body instanceof FileResponse ? sendFile(reply, status, body) : reply.code(status).send(body);
}

const compress = promisify(gzip);

/**
 * Sends JSON compressed, if the caller accepts that, because a screen on a slow line waits for the whole batch. Other
 * answers are left to a proxy in front of the gateway.
 */
async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body }: RouteResponse,
): Promise<FastifyReply> {
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter((header) => header !== undefined);
  reply.code(status).header('vary', vary.join(', ')).type('application/json; charset=utf-8');
  const text = JSON.stringify(body);
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(text);
  return reply.header('content-encoding', 'gzip').send(await compress(text, { level: 6 }));
}
