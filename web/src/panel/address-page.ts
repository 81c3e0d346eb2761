/** As deep as a list is turned by its pages. */
const LAST_PAGE = 1000;

/** The page that an address names, from 1; the first one stands in none. */
export function pageFrom(address: Record<string, unknown>, lastPage = LAST_PAGE): { page?: number } {
  const page = Number(address['page']);
  return Number.isInteger(page) && page > 1 ? { page: Math.min(page, lastPage) } : {};
}

/** How many pages of a list can be opened. */
export function pageCountOf(
  { total, limit }: { total: number; limit: number },
  lastPage = LAST_PAGE,
): number {
  return Math.max(1, Math.min(Math.ceil(total / limit), lastPage));
}
