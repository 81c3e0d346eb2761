import type { ErrorCode } from '@jangada/contract';

/** What goes back to a caller, before it is written as HTTP. */
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  /** The code, when it is a refusal. */
  readonly refused?: ErrorCode;
};
