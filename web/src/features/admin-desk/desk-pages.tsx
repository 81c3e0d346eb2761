import { formatCount } from '../../format/money.ts';
import { pageCountOf } from '../../panel/address-search.ts';
import { Pagination } from '../../ui/index.ts';

type DeskPagesProps = {
  /** The noun for the counted rows: "Itens". */
  things: string;
  list: { total: number; limit: number; page: number };
  /** The number of rows on this page. */
  shown: number;
  onPage: (page: number) => void;
};

/** The pagination; nothing when all rows fit on one page. */
export function DeskPages({ things, list, shown, onPage }: DeskPagesProps) {
  const pageCount = pageCountOf(list);
  if (pageCount === 1) return null;
  const first = (list.page - 1) * list.limit + 1;
  const summary = `${formatCount(first)}–${formatCount(first + shown - 1)} de ${formatCount(list.total)}`;
  return (
    <Pagination
      page={list.page}
      pageCount={pageCount}
      onPage={onPage}
      summary={`${things} ${summary}`}
      shortSummary={summary}
    />
  );
}
