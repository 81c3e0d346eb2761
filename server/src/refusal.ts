import { type ErrorCode, errors } from '@jangada/contract';

type RefusalOptions = {
  /** Replaces the code's own sentence where a more exact one helps. */
  message?: string;
  details?: Record<string, unknown>;
  /** Seconds after which asking again makes sense: the header Retry-After. */
  retryAfterSeconds?: number;
};

/** An expected no. Thrown inside a transaction it rolls the transaction back. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? errors[code].message);
    this.code = code;
    this.status = errors[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
