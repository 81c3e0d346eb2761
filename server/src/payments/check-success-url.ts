import { type Config, isLoopback } from '../config.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses a redirect address that is unsafe for payers: only https, in the sandbox also this machine. The payer's
 * browser opens it, never the gateway. @throws {Refusal} INVALID_SUCCESS_URL
 */
export function checkSuccessUrl({ mode }: Pick<Config, 'mode'>, text: string): void {
  // A browser resolves `https:x` relative to the current page.
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
  const isOpen = url?.protocol === 'http:' && mode === 'sandbox' && isLoopback(url.hostname);
  const isAnonymous = url?.username === '' && url.password === '';
  if (!isAnonymous || (url.protocol !== 'https:' && !isOpen)) throw new Refusal('INVALID_SUCCESS_URL');
}
