import { ApiError } from '../../api/api-error.ts';

/** Reads the token from the URL of a link that was sent by e-mail. */
export function linkTokenFrom({ token }: Record<string, unknown>): { token?: string | undefined } {
  return typeof token === 'string' && token !== '' ? { token } : {};
}

/** True when the gateway refused the token of a link as expired, used or incomplete. */
export function isLinkGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'LINK_EXPIRED' || error.code === 'INVALID_BODY');
}
