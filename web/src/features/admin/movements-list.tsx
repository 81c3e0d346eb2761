import type { adminBankMovements, ResponseOf } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { centsOf } from '../../format/cents-of.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import { ListBody, rowsOf } from '../../panel/list-body.tsx';
import { movementNames } from '../../panel/operation/movement-names.ts';
import { type Column, EmptyState, Table } from '../../ui/index.ts';
import { AdminPagination } from './admin-pagination.tsx';
import { movementsQuery } from './admin-queries.ts';

type Movement = ResponseOf<typeof adminBankMovements>['movements'][number];

/**
 * The bank movements: money that entered or left the bank account outside Pix (bank tariffs, withdrawals of earned fees,
 * top-ups), recorded by hand by an administrator.
 */
export function MovementsList({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const query = useQuery(movementsQuery(page));
  // Undefined while they load: the table then shows placeholder rows, and there is no pagination yet.
  const movements = rowsOf(query, query.data?.movements);
  return (
    <ListBody query={query} title="Erro ao buscar os movimentos.">
      {movements?.length === 0 ? (
        <EmptyState
          className="border-t border-base-300"
          drawing="nothing-yet"
          title="Nenhum movimento registrado"
        >
          Tarifas do banco, retiradas e aportes ficam aqui: sem eles, o saldo no banco difere dos livros.
        </EmptyState>
      ) : (
        <>
          <Table
            label="Movimentos do banco"
            columns={columns}
            rows={movements}
            rowKey={({ id }) => id}
            narrowRowContent={(movement) => ({
              start: <span className="font-medium">{movementNames[movement.kind]}</span>,
              startDetail: <span className="wrap-anywhere">{movement.description}</span>,
              end: amountOf(movement),
              endDetail: formatDateTime(movement.happened_at),
            })}
          />
          {query.data && movements && (
            <AdminPagination
              noun="Movimentos"
              list={query.data}
              rowCount={movements.length}
              onPage={onPage}
            />
          )}
        </>
      )}
    </ListBody>
  );
}

/** The stored amount has no sign: the kind says whether money came in (`top-up`) or left (all others). */
function amountOf({ kind, amount }: Movement): string {
  return kind === 'top-up' ? formatMoney(centsOf(amount)) : formatDeduction(centsOf(amount));
}

const columns: readonly Column<Movement>[] = [
  {
    key: 'kind',
    head: 'Movimento',
    cell: ({ kind, description }) => (
      <span className="block py-2">
        <span className="block font-medium">{movementNames[kind]}</span>
        <span className="block max-w-md text-xs whitespace-normal wrap-anywhere text-muted">
          {description}
        </span>
      </span>
    ),
    skeleton: 'w-56',
  },
  { key: 'amount', head: 'Valor', cell: amountOf, align: 'end', tone: 'strong' },
  {
    key: 'happened',
    head: 'Aconteceu em',
    cell: ({ happened_at }) => formatDateTime(happened_at),
    align: 'end',
    skeleton: 'w-28',
  },
  {
    key: 'recorded',
    head: 'Registrado em',
    cell: ({ recorded_at }) => formatDateTime(recorded_at),
    tone: 'muted',
    align: 'end',
    skeleton: 'w-28',
  },
];
