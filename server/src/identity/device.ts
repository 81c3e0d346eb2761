import { newToken } from './session.ts';

/**
 * Identifies a browser by a random token in a cookie. The token grants no access: it gives a browser that signed in to
 * an account before its own attempt limit there, so that wrong guesses by others cannot lock the owner out.
 */
const cookieName = 'jangada_device';
const yearSeconds = 31_536_000;

/** Returns the device token from a Cookie header, if it has a valid one. */
export function deviceOf(cookieHeader: string | undefined): string | undefined {
  return /(?:^|;\s*)jangada_device=([A-Za-z0-9_-]{43})(?:;|$)/.exec(cookieHeader ?? '')?.[1];
}

/** Creates a device token and its Set-Cookie header; scripts cannot read the cookie, and other sites cannot send it. */
export function newDevice(publicUrl: string): { device: string; setCookie: string } {
  const device = newToken();
  const attributes = `Path=/api; Max-Age=${yearSeconds}; HttpOnly; SameSite=Strict`;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return { device, setCookie: `${cookieName}=${device}; ${attributes}${secure}` };
}
