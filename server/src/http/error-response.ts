import type { ErrorEnvelope } from '@jangada/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseOutage } from '../db/outage.ts';
import { violatedConstraint } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';

/** The body of every error response of the API. */
export function envelopeOf(refusal: Refusal, requestId: string): ErrorEnvelope {
  const { code, message, details } = refusal;
  const error = details === undefined ? { code, message } : { code, message, details };
  return { success: false, message, error, requestId };
}

/** Responds to anything that was thrown. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error, request);
  if (refusal.retryAfterSeconds !== undefined)
    reply.header('retry-after', Math.max(1, Math.ceil(refusal.retryAfterSeconds)));
  return reply.code(refusal.status).header('x-request-id', request.id).send(envelopeOf(refusal, request.id));
}

/**
 * The refusal to send for anything that was thrown: a refusal as it is, an outage of the database as UNAVAILABLE, and
 * anything else as INTERNAL, with the details only in the log.
 */
export function refusalOf(error: unknown, request: Pick<FastifyRequest, 'log'>): Refusal {
  if (error instanceof Refusal) return error;
  return (
    protocolRefusal(error) ??
    endedSessionRefusal(error) ??
    outageRefusal(error, request) ??
    logUnexpectedError(error, request)
  );
}

const invalidJsonMessage = 'O corpo não é um JSON válido.';

/** Maps an error that Fastify raised before the handler ran, such as a body that is not JSON. */
export function protocolRefusal(error: unknown): Refusal | undefined {
  if (!isHttpError(error)) return undefined;
  if (isTooLarge(error)) return new Refusal('BODY_TOO_LARGE');
  if (error.statusCode === 415) return new Refusal('UNSUPPORTED_MEDIA_TYPE');
  if (error.code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return new Refusal('INVALID_BODY', { message: invalidJsonMessage });
  return error.statusCode === 400 ? new Refusal('INVALID_BODY') : undefined;
}

/** Returns whether Fastify refused a body because it exceeds the limit of its route. */
export function isTooLarge(error: unknown): boolean {
  return isHttpError(error) && error.statusCode === 413;
}

function isHttpError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}

/**
 * Maps a violated foreign key to a session: the caller's session ended during the call, so a row that would belong to
 * the session was not stored.
 */
function endedSessionRefusal(error: unknown): Refusal | undefined {
  return violatedConstraint(error)?.endsWith('_session_hash_fkey') === true
    ? new Refusal('UNAUTHENTICATED')
    : undefined;
}

const outageRetrySeconds = 5;

/** Maps an outage of the database to UNAVAILABLE. The call may have taken effect nevertheless. */
export function outageRefusal(error: unknown, { log }: Pick<FastifyRequest, 'log'>): Refusal | undefined {
  if (!isDatabaseOutage(error)) return undefined;
  log.warn({ err: error }, 'a request failed because the database is not available');
  return new Refusal('UNAVAILABLE', { retryAfterSeconds: outageRetrySeconds });
}

/** Logs an error of no expected kind, that is, a defect, and hides its details from the caller. */
function logUnexpectedError(error: unknown, request: Pick<FastifyRequest, 'log'>): Refusal {
  request.log.error({ err: error }, 'a request failed');
  return new Refusal('INTERNAL');
}
