/** A failed call to the API: the server refused it, no response arrived, or the response could not be read. */
export class ApiError extends Error {
  /** HTTP status; 0 when no response arrived. */
  readonly status: number;
  /** The error code from the contract, or null when the provider sends none. */
  readonly code: string | null;
  /** The server's message, which can be shown to users; null when the server sent none. */
  readonly serverMessage: string | null;
  /** Identifies the request in the operator's log. */
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

  /** True when a response arrived and could be read to its end. */
  get hasResponse(): boolean {
    return this.status !== 0 && this.cause === undefined;
  }
}

/** How this failure ends the session; undefined when the session continues. */
export function sessionEndOf({ status, details }: ApiError): 'refusal' | 'frozen' | undefined {
  if (status !== 401) return undefined;
  return details['reason'] === 'ACCOUNT_FROZEN' ? 'frozen' : 'refusal';
}

/**
 * Thrown for a call that the provider, the gateway behind the dashboard, does not implement. Such a call is beyond the
 * specification that all providers share, and the screen leaves out the part that needs it.
 */
export class UnsupportedCallError extends Error {
  override readonly name = 'UnsupportedCallError';
}

/** A response that cannot be used; the error's message can be shown to users. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}

/** True for a call that was cancelled on purpose, which is not reported to the user. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * Waits for a chunk that `import()` loads while the user waits. If the file does not arrive, throws the error of a call
 * without a response, for which the screens have a message.
 */
export async function loadChunk<Module>(file: Promise<Module>): Promise<Module> {
  try {
    return await file;
  } catch (cause) {
    throw new ApiError({ status: 0, cause });
  }
}
