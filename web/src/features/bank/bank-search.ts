import { type UrlId, urlIdFrom } from '../../panel/url-params.ts';

// What the screens for own bank accounts keep in the URL.

/** Reads the id of the open account from the parameters of a URL. */
export function bankSearchFrom(urlParams: Record<string, unknown>): { id?: UrlId } {
  const id = urlIdFrom(urlParams['id']);
  return id === undefined ? {} : { id };
}

const BANK_MAX_LENGTH = 40;

/** Reads the chosen bank from the parameters of a URL. */
export function connectSearchFrom(urlParams: Record<string, unknown>): { bank?: string } {
  const bank = String(urlParams['bank'] ?? '').slice(0, BANK_MAX_LENGTH);
  return bank === '' ? {} : { bank };
}
