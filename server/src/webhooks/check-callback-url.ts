import { addressRules, checkUrl, FetchFailed } from '../guarded-fetch/index.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses a callback URL to which no webhook could ever be sent. The addresses its host resolves to are checked on each
 * attempt.
 * @throws {Refusal} INVALID_CALLBACK_URL
 */
export function checkCallbackUrl(config: Parameters<typeof addressRules>[0], url: string): void {
  try {
    checkUrl(url, addressRules(config));
  } catch (error) {
    throw error instanceof FetchFailed ? new Refusal('INVALID_CALLBACK_URL') : error;
  }
}
