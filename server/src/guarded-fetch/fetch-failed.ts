/** Why a call to a user-supplied URL was refused or got no response. */
export type FetchFailure =
  | 'forbidden-url'
  | 'forbidden-address'
  | 'name-not-found'
  | 'connection-failed'
  | 'tls-failed'
  | 'timed-out'
  | 'bad-answer';

/**
 * Thrown when a call to a user-supplied URL was refused or got no valid response. The error contains no part of the
 * URL, which may include secrets.
 */
export class FetchFailed extends Error {
  override name = 'FetchFailed';
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;
const timeoutCodes = /^(ETIMEDOUT|ETIMEOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;
const connectionCodes = /^(ECONN|EHOST|ENET|EADDR|EPIPE|EACCES|EINVAL|UND_ERR_(SOCKET|DESTROYED|CLOSED))/;

/** Maps an error of Node or undici to the reason why the call failed. */
export function failureFrom(error: unknown): FetchFailed {
  if (error instanceof FetchFailed) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isTimeoutSignal = error instanceof Error && error.name === 'TimeoutError';
  if (isTimeoutSignal || timeoutCodes.test(code)) return new FetchFailed('timed-out', { cause: error });
  if (tlsCodes.test(code)) return new FetchFailed('tls-failed', { cause: error });
  if (connectionCodes.test(code)) return new FetchFailed('connection-failed', { cause: error });
  return new FetchFailed('bad-answer', { cause: error });
}
