import { centsFromBrl } from '@jangada/contract';
import { useState } from 'react';
import { formatCalendarDay } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { type Column, Pagination, StatusBadge, Table } from '../../ui/index.ts';
import { type CheckedRow, faultText } from './check-batch-rows.ts';

const ROWS_PER_PAGE = 50;

const columns: readonly Column<CheckedRow>[] = [
  { key: 'row', head: 'Linha', cell: ({ row }) => formatCount(row), width: 'w-16', tone: 'muted' },
  { key: 'id', head: 'Seu código', cell: ({ cells }) => <Cut>{cells.externalId}</Cut> },
  { key: 'name', head: 'Cliente', cell: ({ cells }) => <Cut>{cells.name}</Cut> },
  { key: 'due', head: 'Vencimento', cell: dueText },
  { key: 'amount', head: 'Valor', cell: amountText, align: 'end', tone: 'strong' },
  { key: 'state', head: 'Situação', cell: (row) => <State {...row} />, width: 'w-[36%]' },
];

/** The rows of the file, a page at a time: all of ten thousand would stop the browser. */
export function PreviewTable({ rows }: { rows: readonly CheckedRow[] }) {
  const [page, setPage] = useState(1);
  const pageCount = Math.max(1, Math.ceil(rows.length / ROWS_PER_PAGE));
  const first = (page - 1) * ROWS_PER_PAGE;
  const shown = rows.slice(first, first + ROWS_PER_PAGE);
  const range = `${formatCount(first + 1)}–${formatCount(first + shown.length)} de ${formatCount(rows.length)}`;
  return (
    <>
      <Table
        label="Linhas do arquivo"
        columns={columns}
        rows={shown}
        rowKey={({ row }) => String(row)}
        narrowRowContent={(row) => ({
          start: (
            <bdi className="line-clamp-1 wrap-anywhere">{row.cells.externalId || row.cells.name || '—'}</bdi>
          ),
          startDetail: (
            <>
              <span className="block">
                Linha {formatCount(row.row)}
                {row.cells.externalId && row.cells.name && (
                  <>
                    , <bdi>{row.cells.name}</bdi>
                  </>
                )}
              </span>
              <Faults {...row} />
            </>
          ),
          end: amountText(row),
          endDetail: row.faults.length > 0 ? 'Com problema' : 'Pronta',
        })}
      />
      {pageCount > 1 && (
        <Pagination
          page={page}
          pageCount={pageCount}
          onPage={setPage}
          summary={`Linhas ${range}`}
          shortSummary={range}
        />
      )}
    </>
  );
}

function Cut({ children }: { children: string | undefined }) {
  return <bdi className="block max-w-48 truncate">{children || '—'}</bdi>;
}

function dueText({ request, cells }: CheckedRow): string {
  return request?.due_date ? formatCalendarDay(request.due_date) : cells.dueDate || '—';
}

function amountText({ request, cells }: CheckedRow): string {
  return request === undefined ? cells.amount || '—' : formatMoney(centsFromBrl(request.amount) ?? 0);
}

function State(row: CheckedRow) {
  return row.faults.length === 0 ? <StatusBadge status="done">Pronta</StatusBadge> : <Faults {...row} />;
}

function Faults({ faults }: Pick<CheckedRow, 'faults'>) {
  return (
    <span className="block whitespace-normal text-error">
      {faults.map((fault) => (
        <span key={faultText(fault)} className="block py-0.5">
          {faultText(fault)}
        </span>
      ))}
    </span>
  );
}
