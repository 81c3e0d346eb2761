import { ApiError } from '../../api/api-error.ts';

/** The token in the address that a mailed link opens. */
export function linkTokenFrom({ token }: Record<string, unknown>): { token?: string | undefined } {
  return typeof token === 'string' && token !== '' ? { token } : {};
}

/** True when the response says that a link is no longer valid, or is incomplete. */
export function isLinkGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'LINK_EXPIRED' || error.code === 'INVALID_BODY');
}
