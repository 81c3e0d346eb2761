import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Accounts } from './accounts.ts';
import { accountsRoutes } from './accounts-routes.ts';
import { automaticWebhookRoutes } from './api/automatic-webhook-routes.ts';
import { cobRoutes } from './api/cob-routes.ts';
import { cobrRoutes } from './api/cobr-routes.ts';
import { cobvRoutes } from './api/cobv-routes.ts';
import { disputeRoutes } from './api/dispute-routes.ts';
import { locRoutes } from './api/loc-routes.ts';
import { locrecRoutes } from './api/locrec-routes.ts';
import { lotecobvRoutes } from './api/lotecobv-routes.ts';
import { oauthRoutes } from './api/oauth-routes.ts';
import { balanceRoutes, payoutRoutes } from './api/payout-routes.ts';
import { pixRoutes } from './api/pix-routes.ts';
import { recRoutes } from './api/rec-routes.ts';
import { refundRoutes } from './api/refund-routes.ts';
import { solicRecRoutes } from './api/solicrec-routes.ts';
import { webhookRoutes } from './api/webhook-routes.ts';
import { automaticRoutes } from './automatic/automatic-routes.ts';
import type { Site } from './bank.ts';
import { pageRoutes, sendRefusal } from './page/page-routes.ts';
import { payloadRoutes } from './payload-routes.ts';
import { EfiError, Problem, SandboxRefusal } from './refusal.ts';
import { sandboxAccountRoutes } from './sandbox-account-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { shopSystemRoutes } from './shop-system.ts';

/** PEM files for the API's own listener. Only clients with a certificate issued by `ca` may connect. */
export interface ApiTls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  readonly ca: string | Buffer;
}

const BODY_LIMIT = 4 * 1024 * 1024;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Creates the public listener: bank app, payloads, the sandbox's own calls, and the API Pix if `withApi` is set. */
export function createPublicApp(accounts: Accounts, withApi: boolean): FastifyInstance {
  const app = fastify({ forceCloseConnections: 'idle', bodyLimit: BODY_LIMIT });
  handleErrors(app, accounts);
  app.addHook('onRequest', refuseForeignPages(accounts.first.site));
  payloadRoutes(app, accounts);
  sandboxRoutes(app, accounts);
  sandboxAccountRoutes(app, accounts);
  automaticRoutes(app, accounts);
  accountsRoutes(app, accounts);
  shopSystemRoutes(app, accounts.first);
  pageRoutes(app, accounts);
  if (withApi) apiRoutes(app, accounts);
  return app;
}

/** Creates the listener of the API Pix behind mutual TLS. */
export function createApiApp(accounts: Accounts, tls: ApiTls): FastifyInstance {
  const app: FastifyInstance = fastify({
    forceCloseConnections: 'idle',
    bodyLimit: BODY_LIMIT,
    https: { ...tls, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
  });
  handleErrors(app, accounts);
  apiRoutes(app, accounts);
  return app;
}

/**
 * Refuses requests that a foreign web page could make a browser send: those with a foreign Host (DNS rebinding) or a
 * foreign Origin. The API accepts any Host, because programs may reach the machine under any of its names, and no web
 * page has the credentials of the API.
 */
function refuseForeignPages(site: Site) {
  return async (request: FastifyRequest): Promise<void> => {
    const publicUrl = new URL(site.publicUrl);
    const host = request.headers.host ?? '';
    const isApi = /^\/(v2|v3|oauth)\//.test(request.url);
    const isOurHost = host === publicUrl.host || isLoopback(`http://${host}`);
    if (!isApi && !isOurHost) throw foreignOrigin();
    const { origin } = request.headers;
    const isOurOrigin = origin === publicUrl.origin || origin === `${publicUrl.protocol}//${host}`;
    if (origin !== undefined && !isOurOrigin) throw foreignOrigin();
  };
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.has(new URL(url).hostname);
}

function foreignOrigin(): SandboxRefusal {
  return new SandboxRefusal('FORBIDDEN_ORIGIN', 'Este endereço não é do Banco Sandbox.');
}

function apiRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.register(async (scope) => oauthRoutes(scope, accounts));
  cobRoutes(app, accounts);
  cobvRoutes(app, accounts);
  lotecobvRoutes(app, accounts);
  pixRoutes(app, accounts);
  refundRoutes(app, accounts);
  payoutRoutes(app, accounts);
  balanceRoutes(app, accounts);
  disputeRoutes(app, accounts);
  webhookRoutes(app, accounts);
  locRoutes(app, accounts);
  recRoutes(app, accounts);
  solicRecRoutes(app, accounts);
  cobrRoutes(app, accounts);
  locrecRoutes(app, accounts);
  automaticWebhookRoutes(app, accounts);
}

function handleErrors(app: FastifyInstance, accounts: Accounts): void {
  // Only JSON is accepted: a foreign page cannot make a browser send JSON without a CORS preflight, which is refused.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler<FastifyError | EfiError | Problem | SandboxRefusal>((error, request, reply) => {
    const refusal = isExpected(error) ? error : toExpectedError(error, request);
    if (refusal instanceof Problem) return sendProblem(reply, refusal);
    return refusal instanceof SandboxRefusal
      ? sendRefusal(accounts, request, reply, refusal)
      : reply.status(refusal.status).send(refusal.body);
  });
  app.setNotFoundHandler((request, reply) => {
    if (!isApiCall(request))
      return sendRefusal(
        accounts,
        request,
        reply,
        new SandboxRefusal('NOT_FOUND', 'Este endereço não existe.'),
      );
    return sendProblem(reply, new Problem('NaoEncontrado', 'Entidade não encontrada.'));
  });
}

function isApiCall({ url }: FastifyRequest): boolean {
  return /^\/v[23]\//.test(url);
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.status(problem.status).type('application/problem+json').send(JSON.stringify(problem.body));
}

function isExpected(error: Error): error is EfiError | Problem | SandboxRefusal {
  return error instanceof EfiError || error instanceof Problem || error instanceof SandboxRefusal;
}

/** Converts an error to the format of the part of the bank that raised it. */
function toExpectedError(error: FastifyError, request: FastifyRequest): EfiError | Problem | SandboxRefusal {
  if (!isApiCall(request)) return toRefusal(error);
  if (request.url.startsWith('/v3/') && isClientError(error)) {
    return new EfiError('json_invalido', 'A requisição não pode ser lida.');
  }
  return toProblem(error);
}

function toProblem(error: FastifyError): Problem {
  if (isClientError(error)) return new Problem('RequisicaoInvalida', 'A requisição não pode ser lida.');
  report(error);
  return new Problem('ErroInternoDoServidor', 'Condição inesperada ao processar a requisição.');
}

function toRefusal(error: FastifyError): SandboxRefusal {
  if (error.statusCode === 415)
    return new SandboxRefusal('UNSUPPORTED_MEDIA_TYPE', 'Envie JSON (application/json).');
  if (isClientError(error)) return new SandboxRefusal('INVALID_REQUEST', 'A requisição não pode ser lida.');
  report(error);
  return new SandboxRefusal('INTERNAL_ERROR', 'Algo deu errado no Banco Sandbox.');
}

function isClientError(error: FastifyError): boolean {
  return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
}

function report(error: Error): void {
  process.stderr.write(`Banco Sandbox: ${error.stack ?? error.message}\n`);
}
