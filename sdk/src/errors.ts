import type { ErrorCode } from './contract.ts';

/** Os códigos dos erros que vêm do próprio SDK, e não de uma recusa do gateway. */
export type ClientErrorCode =
  | 'CONNECTION_FAILED'
  | 'TIMED_OUT'
  | 'ABORTED'
  | 'ANSWER_NOT_UNDERSTOOD'
  | 'OUTCOME_UNKNOWN';

/** Os campos de um `JangadaError` novo. */
export type JangadaErrorFacts = {
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  readonly message: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
};

/**
 * O erro de uma chamada que não deu certo. Decida o que fazer por `code`; `message` é uma frase em português que você
 * pode mostrar a uma pessoa.
 */
export class JangadaError extends Error {
  override readonly name: string = 'JangadaError';
  /** O código do erro. Um código nunca muda de significado, e códigos novos podem aparecer. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** O status HTTP. `undefined` quando não houve resposta. */
  readonly status: number | undefined;
  /** O id com que o suporte acha a sua chamada: guarde este id nos seus registros. */
  readonly requestId: string | undefined;
  /** O que falta ou está errado na chamada, quando o gateway diz. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Quantos segundos esperar antes de tentar de novo, quando o gateway diz. */
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

/**
 * O erro de uma chamada sem uma resposta que se possa ler: a rede falhou, o tempo se esgotou, ou o que responde em
 * `baseUrl` não é uma Jangada.
 */
export class JangadaConnectionError extends JangadaError {
  override readonly name = 'JangadaConnectionError';
}

/**
 * O erro de uma chamada com `Idempotency-Key` que **pode ter sido feita ou não**. Não trate este erro como uma falha.
 * Repita a mesma chamada com a mesma `idempotencyKey`, nas próximas 24 horas: se o gateway já executou a chamada, ele
 * não a executa de novo e devolve a resposta da primeira vez.
 */
export class JangadaOutcomeUnknownError extends JangadaError {
  override readonly name = 'JangadaOutcomeUnknownError';
  /** A chave com que repetir a chamada. */
  readonly idempotencyKey: string;

  constructor(idempotencyKey: string, lastError: JangadaError) {
    super({
      code: 'OUTCOME_UNKNOWN',
      message: `Não se sabe se a chamada foi feita. Repita-a com a Idempotency-Key ${idempotencyKey}. (${lastError.message})`,
      status: lastError.status,
      requestId: lastError.requestId,
      details: lastError.details,
      retryAfter: lastError.retryAfter,
      cause: lastError,
    });
    this.idempotencyKey = idempotencyKey;
  }
}
