import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { Problem } from '../refusal.ts';

const SCOPES = [
  'cob.read',
  'cob.write',
  'cobv.read',
  'cobv.write',
  'lotecobv.read',
  'lotecobv.write',
  'pix.read',
  'pix.write',
  'webhook.read',
  'webhook.write',
  'payloadlocation.read',
  'payloadlocation.write',
  'rec.read',
  'rec.write',
  'solicrec.read',
  'solicrec.write',
  'cobr.read',
  'cobr.write',
  'payloadlocationrec.read',
  'payloadlocationrec.write',
  'webhookrec.read',
  'webhookrec.write',
  'webhookcobr.read',
  'webhookcobr.write',
  'pix.send',
  'gn.pix.send.read',
  'gn.balance.read',
  'gn.infractions.read',
  'gn.infractions.write',
] as const;

export type OAuthScope = (typeof SCOPES)[number];

/** The account and scopes of one token, and the end of its life. */
interface Grant {
  readonly bank: Bank;
  readonly expiresAt: number;
  readonly scopes: ReadonlySet<string>;
}

const requestSchema = z.object({ grant_type: z.literal('client_credentials'), scope: z.string().optional() });

/** The grants of each running bank, by token. A restart discards all tokens, and clients request new ones. */
const grants = new WeakMap<Accounts, Map<string, Grant>>();

/** The account that each running request acts for, by the request as it came in. */
const bankByRequest = new WeakMap<IncomingMessage, Bank>();

/**
 * Issues tokens for client credentials (RFC 6749, section 4.4) with Basic authentication. The body is a form, as in the
 * standard, or JSON.
 */
export function oauthRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.post('/oauth/token', (request, reply) => {
    const bank = findByCredentials(accounts, request.headers.authorization);
    if (bank === undefined || !hasCertificateOf(bank, request)) {
      reply.header('www-authenticate', 'Basic realm="oauth"');
      return sendOAuthError(reply, 401, 'invalid_client');
    }
    const { data } = requestSchema.safeParse(request.body);
    if (data === undefined) return sendOAuthError(reply, 400, 'unsupported_grant_type');
    const requestedScopes = data.scope?.split(' ').filter((scope) => scope !== '') ?? SCOPES;
    const scopes = SCOPES.filter((scope) => requestedScopes.includes(scope));
    if (scopes.length === 0) return sendOAuthError(reply, 400, 'invalid_scope');
    reply.header('cache-control', 'no-store');
    return {
      access_token: issueToken(accounts, bank, scopes),
      token_type: 'Bearer',
      expires_in: bank.tokenSeconds,
      scope: scopes.join(' '),
    };
  });
}

/**
 * Returns a hook that requires a token with this scope: 401 without a valid token, 403 if it lacks the scope. The
 * request then acts for the account of the token (`bankOf`).
 */
export function requireScope(accounts: Accounts, scope: OAuthScope) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const grant = grants.get(accounts)?.get(token ?? '');
    const isValid =
      grant !== undefined &&
      accounts.clock.now() < grant.expiresAt &&
      // A token of an account with a certificate is good only with it, as in RFC 8705.
      hasCertificateOf(grant.bank, request);
    if (!isValid) {
      reply.header('www-authenticate', 'Bearer error="invalid_token"');
      return sendOAuthError(reply, 401, 'invalid_token');
    }
    if (!grant.scopes.has(scope)) throw new Problem('AcessoNegado', `O token não tem o escopo ${scope}.`);
    bankByRequest.set(request.raw, grant.bank);
    return undefined;
  };
}

/** The account that a request acts for: the one whose credentials its token was issued for. */
export function bankOf({ raw }: { raw: IncomingMessage }): Bank {
  const bank = bankByRequest.get(raw);
  if (bank === undefined) throw new Error('The route has no requireScope hook');
  return bank;
}

function issueToken(accounts: Accounts, bank: Bank, scopes: readonly string[]): string {
  const activeGrants = grants.get(accounts) ?? new Map<string, Grant>();
  grants.set(accounts, activeGrants);
  const now = accounts.clock.now();
  // All tokens live equally long and are kept in the order of their issue, so the first unexpired one ends the search.
  for (const [token, { expiresAt }] of activeGrants) {
    if (now < expiresAt) break;
    activeGrants.delete(token);
  }
  const token = randomBytes(32).toString('base64url');
  activeGrants.set(token, { bank, expiresAt: now + bank.tokenSeconds * 1000, scopes: new Set(scopes) });
  return token;
}

function findByCredentials(accounts: Accounts, authorization: string | undefined): Bank | undefined {
  const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const presented = digest(credentials);
  return accounts.all.find(({ clientId, clientSecret }) =>
    timingSafeEqual(presented, digest(`${clientId}:${clientSecret}`)),
  );
}

/** Whether a request came with the client certificate that an account demands, if it demands one. */
function hasCertificateOf({ certificate }: Bank, { raw: { socket } }: FastifyRequest): boolean {
  if (certificate === undefined) return true;
  return (
    socket instanceof TLSSocket && socket.getPeerCertificate().fingerprint256 === certificate.fingerprint
  );
}

/** `timingSafeEqual` compares only buffers of the same length, and all digests have the same length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sendOAuthError(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.status(status).send({ error });
}
