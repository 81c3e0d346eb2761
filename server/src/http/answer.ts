import type { ErrorCode } from '@jangada/contract';

/** A response before it is serialised to HTTP. */
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  /** The error code, if the response is a refusal. */
  readonly refused?: ErrorCode;
};
