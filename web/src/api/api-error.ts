/** A call that did not succeed. */
export class ApiError extends Error {
  /** HTTP status; 0 when there was no answer at all. */
  readonly status: number;
  /** The contract's code, or null where the provider names none. */
  readonly code: string | null;
  /** The server's sentence, fit to show; null when it sent none. */
  readonly serverMessage: string | null;
  /** Names the request in the operator's log. */
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(failure: {
    status: number;
    code?: string | null;
    serverMessage?: string | null;
    requestId?: string | null;
    details?: Readonly<Record<string, unknown>>;
    cause?: unknown;
  }) {
    super(failure.serverMessage ?? `status ${failure.status}`, { cause: failure.cause });
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code ?? null;
    this.serverMessage = failure.serverMessage ?? null;
    this.requestId = failure.requestId ?? null;
    this.details = failure.details ?? {};
  }

  /** Whether an answer came that could be read to its end. */
  get answered(): boolean {
    return this.status !== 0 && this.cause === undefined;
  }
}

/** How a session ends whose call was answered so, if that ends it. */
export function sessionEndOf({ status, details }: ApiError): 'refusal' | 'frozen' | undefined {
  if (status !== 401) return undefined;
  return details['reason'] === 'ACCOUNT_FROZEN' ? 'frozen' : 'refusal';
}

/** A call beyond the specification that this provider does not know: its part of the screen is left out. */
export class NotOffered extends Error {
  override readonly name = 'NotOffered';
}

/** An answer that cannot be worked with; its message is fit to show. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** Whether a call was cancelled on purpose: nobody is told. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
