import { formatCount } from '../../format/money.ts';
import { pageCountOf } from '../../panel/url-params.ts';
import { Pagination } from '../../ui/index.ts';

type AdminPaginationProps = {
  /** The word for the rows, in the plural, such as "Itens". */
  noun: string;
  list: { total: number; limit: number; page: number };
  /** The number of rows on this page. */
  rowCount: number;
  onPage: (page: number) => void;
};

/** The pagination of a list on a page for administrators. Renders nothing when all rows fit on one page. */
export function AdminPagination({ noun, list, rowCount, onPage }: AdminPaginationProps) {
  const pageCount = pageCountOf(list);
  if (pageCount === 1) return null;
  const firstRow = (list.page - 1) * list.limit + 1;
  const summary = `${formatCount(firstRow)}–${formatCount(firstRow + rowCount - 1)} de ${formatCount(list.total)}`;
  return (
    <Pagination
      page={list.page}
      pageCount={pageCount}
      onPage={onPage}
      summary={`${noun} ${summary}`}
      shortSummary={summary}
    />
  );
}
