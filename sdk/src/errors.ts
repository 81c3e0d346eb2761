import type { ErrorCode } from './contract.ts';

/** O que o cliente diz quando não é o gateway que recusa. */
export type ClientErrorCode =
  | 'CONNECTION_FAILED'
  | 'TIMED_OUT'
  | 'ABORTED'
  | 'ANSWER_NOT_UNDERSTOOD'
  | 'OUTCOME_UNKNOWN';

export type JangadaErrorFacts = {
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  readonly message: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
};

/** Uma chamada que não deu certo. Decida por `code`; `message` é uma frase em português, que pode ser mostrada. */
export class JangadaError extends Error {
  override readonly name: string = 'JangadaError';
  /** O código da recusa, que não muda de significado. Códigos novos podem aparecer. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** O status HTTP. `undefined` quando não houve resposta. */
  readonly status: number | undefined;
  /** Registre-o: com ele o suporte acha a sua chamada. */
  readonly requestId: string | undefined;
  /** O que falta ou está errado, quando o gateway diz. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Segundos a esperar antes de tentar de novo, quando o gateway diz. */
  readonly retryAfter: number | undefined;

  constructor({ code, message, status, requestId, details, retryAfter, cause }: JangadaErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** Não houve resposta que se possa ler: rede, tempo esgotado, ou algo que não é uma Jangada em `baseUrl`. */
export class JangadaConnectionError extends JangadaError {
  override readonly name = 'JangadaConnectionError';
}

/**
 * Uma chamada que move dinheiro ficou sem resposta: **pode ter sido feita ou não**. Não é uma falha. Repita a mesma chamada
 * com a mesma `idempotencyKey` (nas próximas 24 horas): ela é feita uma vez só, e a resposta é a da primeira.
 */
export class JangadaOutcomeUnknownError extends JangadaError {
  override readonly name = 'JangadaOutcomeUnknownError';
  /** A chave com que repetir. */
  readonly idempotencyKey: string;

  constructor(idempotencyKey: string, last: JangadaError) {
    super({
      code: 'OUTCOME_UNKNOWN',
      message: `Não se sabe se a chamada foi feita. Repita-a com a Idempotency-Key ${idempotencyKey}. (${last.message})`,
      status: last.status,
      requestId: last.requestId,
      details: last.details,
      retryAfter: last.retryAfter,
      cause: last,
    });
    this.idempotencyKey = idempotencyKey;
  }
}
