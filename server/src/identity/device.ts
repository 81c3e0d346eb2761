import { newToken } from './session.ts';

/**
 * A browser is known by a random mark in a cookie. The mark opens nothing: a browser that signed in to an account
 * before keeps attempts of its own there, so nobody else's wrong guesses lock its owner out.
 */
const cookieName = 'jangada_device';
const yearSeconds = 31_536_000;

/** The mark in a Cookie header; undefined when there is none of ours. */
export function deviceOf(cookieHeader: string | undefined): string | undefined {
  return /(?:^|;\s*)jangada_device=([A-Za-z0-9_-]{43})(?:;|$)/.exec(cookieHeader ?? '')?.[1];
}

/** A new mark with the Set-Cookie header that gives it to a browser: unreadable to scripts, unsent by other sites. */
export function newDevice(publicUrl: string): { device: string; setCookie: string } {
  const device = newToken();
  const attributes = `Path=/api; Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return { device, setCookie: `${cookieName}=${device}; ${attributes}${secure}` };
}
