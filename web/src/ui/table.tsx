import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useLoadingAnnouncement } from './announcement-region.tsx';
import { classNames } from './class-names.ts';
import { Skeleton } from './skeleton.tsx';
import { useIsNarrow } from './use-media-query.ts';

export type Column<Row> = {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** `end` aligns the cells to the right, for money, counts and dates. */
  align?: 'start' | 'end';
  tone?: 'strong' | 'muted';
  /** A width class such as `w-40`. */
  width?: string;
  /** The width class of the column's skeleton bar. */
  skeleton?: string;
};

/**
 * The content of one row at widths below 768 px, where it is an item of a list: a left side and a right side, each with
 * an optional second line.
 */
export type NarrowRowContent = {
  start: ReactNode;
  startDetail?: ReactNode;
  end: ReactNode;
  endDetail?: ReactNode;
};

export type TableProps<Row> = {
  /** The table's accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while the rows are loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Returns the content of a row for the list that replaces the table below 768 px. */
  narrowRowContent: (row: Row) => NarrowRowContent;
  /** The number of placeholder rows while the rows are loading. Default 10. */
  skeletonRows?: number;
  /** Opens the detail of the row that the user presses. Without `onOpen`, pressing a row does nothing. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Whether a row has a detail to open. By default every row has one. */
  canOpen?: (row: Row) => boolean;
  /**
   * The label of the buttons in an extra last column, which let keyboard users open the rows. Without `openLabel` there
   * is no such column.
   */
  openLabel?: string;
};

/**
 * A table at widths from 768 px, and a list of rows below that width. The first column identifies the row, and money is
 * right-aligned.
 */
export function Table<Row>(props: TableProps<Row>) {
  useLoadingAnnouncement(props.rows === undefined);
  return useIsNarrow() ? <NarrowList {...props} /> : <WideTable {...props} />;
}

function cellClass<Row>(column: Column<Row>) {
  return classNames(
    column.align === 'end' && 'text-right',
    column.tone === 'strong' && 'font-medium',
    column.tone === 'muted' && 'text-muted',
    'whitespace-nowrap tabular-nums',
  );
}

function WideTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  skeletonRows = 10,
  onOpen,
  canOpen = () => true,
  openLabel,
}: TableProps<Row>) {
  const id = useId();
  const cellId = (rowIndex: number, columnIndex: number) => `${id}-${rowIndex}-${columnIndex}`;
  return (
    // Large amounts may make the table wider than the page; then the table scrolls, not the page. The margin and the
    // padding cancel each other out, and leave room for a hovered row, which is 12 px wider on both sides.
    <div className="-mx-3 overflow-x-auto px-3">
      <table
        className={classNames('table', onOpen !== undefined && 'table-open')}
        aria-label={label}
        aria-busy={rows === undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classNames(column.align === 'end' && 'text-right', column.width)}
              >
                {column.head}
              </th>
            ))}
            {openLabel !== undefined && (
              <th scope="col">
                <span className="sr-only">{openLabel}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: empty rows have nothing else
                <SkeletonRow key={index} columns={columns} hasOpenColumn={openLabel !== undefined} />
              ))
            : rows.map((row, rowIndex) => (
                <WideRow
                  key={rowKey(row)}
                  canOpen={canOpen}
                  row={row}
                  onOpen={onOpen}
                  columns={columns}
                  cellId={cellId}
                  rowIndex={rowIndex}
                  openLabel={openLabel}
                />
              ))}
        </tbody>
      </table>
    </div>
  );
}

type WideRowProps<Row> = {
  canOpen: (row: Row) => boolean;
  row: Row;
  onOpen: ((row: Row) => void) | undefined;
  columns: readonly Column<Row>[];
  cellId: (rowIndex: number, columnIndex: number) => string;
  rowIndex: number;
  openLabel: string | undefined;
};

function WideRow<Row>({ canOpen, row, onOpen, columns, cellId, rowIndex, openLabel }: WideRowProps<Row>) {
  const isOpenable = canOpen(row);
  return (
    // Pressing the row is a shortcut for the pointer. By keyboard, a row is opened by the button in its last cell, or
    // by a link or button that the caller puts in a cell.
    <tr
      className={classNames('group', !isOpenable && 'row-still')}
      onClick={isOpenable ? () => onOpen?.(row) : undefined}
    >
      {columns.map((column, columnIndex) => (
        <td key={column.key} id={cellId(rowIndex, columnIndex)} className={cellClass(column)}>
          {column.cell(row)}
        </td>
      ))}
      {openLabel !== undefined && (
        <td className="text-right">
          {isOpenable && (
            <button
              type="button"
              className="inline-flex h-8 items-center gap-1.5 rounded-field font-medium"
              // All these buttons share one label, so screen readers also read the first two cells of the row.
              aria-describedby={`${cellId(rowIndex, 0)} ${cellId(rowIndex, 1)}`}
              onClick={(event) => {
                // Otherwise the row around the button would be opened a second time.
                event.stopPropagation();
                onOpen?.(row);
              }}
            >
              {openLabel}
              <ChevronRight className="size-4 text-muted" strokeWidth={1.75} aria-hidden="true" />
            </button>
          )}
        </td>
      )}
    </tr>
  );
}

type SkeletonRowProps<Row> = { columns: readonly Column<Row>[]; hasOpenColumn: boolean };

function SkeletonRow<Row>({ columns, hasOpenColumn }: SkeletonRowProps<Row>) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.key}>
          <Skeleton
            className={classNames('h-2.5', column.skeleton ?? 'w-20', column.align === 'end' && 'ml-auto')}
          />
        </td>
      ))}
      {hasOpenColumn && (
        <td>
          <Skeleton className="ml-auto h-2.5 w-16" />
        </td>
      )}
    </tr>
  );
}

function NarrowList<Row>(props: TableProps<Row>) {
  const { label, rows, rowKey, narrowRowContent, skeletonRows = 10, onOpen, canOpen = () => true } = props;
  return (
    <ul
      className="card divide-y divide-base-300 overflow-hidden"
      aria-label={label}
      aria-busy={rows === undefined}
    >
      {rows === undefined
        ? Array.from({ length: skeletonRows }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: empty rows have nothing else
            <li key={index}>
              <NarrowRow
                start={<Skeleton className="h-5.5 w-20" />}
                startDetail={<Skeleton className="my-1 h-2 w-32" />}
                end={<Skeleton className="my-1.5 ml-auto h-3 w-20" />}
                endDetail={<Skeleton className="my-1 ml-auto h-2 w-14" />}
              />
            </li>
          ))
        : rows.map((row) => (
            <li key={rowKey(row)}>
              {onOpen === undefined || !canOpen(row) ? (
                <NarrowRow {...narrowRowContent(row)} />
              ) : (
                <button
                  type="button"
                  className="block w-full text-left -outline-offset-2 active:bg-hover"
                  onClick={() => onOpen(row)}
                >
                  <NarrowRow {...narrowRowContent(row)} />
                </button>
              )}
            </li>
          ))}
    </ul>
  );
}

function NarrowRow({ start, startDetail, end, endDetail }: NarrowRowContent) {
  return (
    <span className="flex min-h-17.5 items-start justify-between gap-x-4 gap-y-1 px-4 py-3 max-[22rem]:flex-wrap">
      <span className="grid min-w-0 justify-items-start gap-1 wrap-anywhere">
        <span>{start}</span>
        {startDetail !== undefined && <span className="text-xs text-muted tabular-nums">{startDetail}</span>}
      </span>
      <span className="ml-auto grid justify-items-end gap-1 text-right whitespace-nowrap tabular-nums">
        <span className="text-base font-strong">{end}</span>
        {endDetail !== undefined && <span className="text-xs text-muted">{endDetail}</span>}
      </span>
    </span>
  );
}
