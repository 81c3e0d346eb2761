/** The last page of most lists that the API returns. Callers whose list has another limit pass their own. */
const LAST_PAGE = 1000;

/** The page number in the parameters of a URL, counted from 1; the first page is omitted. */
export function pageFrom(urlParams: Record<string, unknown>, lastPage = LAST_PAGE): { page?: number } {
  const page = Number(urlParams['page']);
  return Number.isInteger(page) && page > 1 ? { page: Math.min(page, lastPage) } : {};
}

/** The number of pages that can be opened: never more than the API returns. */
export function pageCountOf(
  { total, limit }: { total: number; limit: number },
  lastPage = LAST_PAGE,
): number {
  return Math.max(1, Math.min(Math.ceil(total / limit), lastPage));
}

const ID_MAX_LENGTH = 64;

/**
 * A user's id as a parameter of a URL. A numeric id is held as a number, because the router would put a text that looks
 * like a number in quotes.
 */
export type UrlId = string | number;

/** Reads an id from a parameter of a URL, or converts an id to one; undefined when there is no id. */
export function urlIdFrom(value: unknown): UrlId | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const text = String(value).slice(0, ID_MAX_LENGTH);
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text;
}
