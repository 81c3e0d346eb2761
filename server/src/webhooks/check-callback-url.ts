import { addressRules, checkUrl, FetchFailed } from '../guarded-fetch/index.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses a callback address that no webhook could ever be sent to. Where its name leads is checked at each sending.
 * @throws {Refusal} INVALID_CALLBACK_URL
 */
export function checkCallbackUrl(config: Parameters<typeof addressRules>[0], url: string): void {
  try {
    checkUrl(url, addressRules(config));
  } catch (error) {
    throw error instanceof FetchFailed ? new Refusal('INVALID_CALLBACK_URL') : error;
  }
}
