import { type ErrorCode, errors } from '@jangada/contract';

type RefusalOptions = {
  /** Replaces the code's default message with a more specific one. */
  message?: string;
  details?: Record<string, unknown>;
  /** Seconds until a retry makes sense, sent as the Retry-After header. */
  retryAfterSeconds?: number;
};

/** An expected refusal. Thrown inside a transaction, it rolls the transaction back. */
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
