/** The last page that a list can be paged to. */
const LAST_PAGE = 1000;

/** The page number in an address, counted from 1; the first page is omitted. */
export function pageFrom(address: Record<string, unknown>, lastPage = LAST_PAGE): { page?: number } {
  const page = Number(address['page']);
  return Number.isInteger(page) && page > 1 ? { page: Math.min(page, lastPage) } : {};
}

/** The number of pages that can be opened. */
export function pageCountOf(
  { total, limit }: { total: number; limit: number },
  lastPage = LAST_PAGE,
): number {
  return Math.max(1, Math.min(Math.ceil(total / limit), lastPage));
}
