import { type Config, isLoopback } from '../config.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses an address that no payer may be sent to: https alone, but in the sandbox this machine too. It is their
 * browser that goes there, never the gateway.
 * @throws {Refusal} INVALID_SUCCESS_URL
 */
export function checkSuccessUrl({ mode }: Pick<Config, 'mode'>, text: string): void {
  // A browser takes `https:x` for a path of the page that it is on.
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
  const isOpen = url?.protocol === 'http:' && mode === 'sandbox' && isLoopback(url.hostname);
  const isAnonymous = url?.username === '' && url.password === '';
  if (!isAnonymous || (url.protocol !== 'https:' && !isOpen)) throw new Refusal('INVALID_SUCCESS_URL');
}
