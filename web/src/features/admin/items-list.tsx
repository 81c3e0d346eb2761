import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDateTime } from '../../format/date.ts';
import { ListBody, rowsOf } from '../../panel/list-body.tsx';
import { formatItemReference, itemTextOf, type OpenItem } from '../../panel/operation/item-words.ts';
import { Code, type Column, EmptyState, StatusBadge, Table } from '../../ui/index.ts';
import { AdminPagination } from './admin-pagination.tsx';
import { openItemsQuery } from './admin-queries.ts';
import { ItemDetail } from './item-detail.tsx';

type ItemsListProps = { isClosed: boolean; page: number; onPage: (page: number) => void };

/**
 * The open items, which are discrepancies between our books and the bank that an administrator must examine. With
 * `isClosed`, the list shows the items that were already closed.
 */
export function ItemsList({ isClosed, page, onPage }: ItemsListProps) {
  const list = useQuery(openItemsQuery(isClosed, page));
  const [selectedId, setSelectedId] = useState<string>();
  const { data } = list;
  const items = rowsOf(list, data?.items);
  const selectedItem = items?.find(({ id }) => id === selectedId);
  return (
    <>
      <ListBody query={list} title="Erro ao buscar os itens.">
        {items?.length === 0 ? (
          <EmptyState
            className="border-t border-base-300"
            drawing="all-done"
            title={isClosed ? 'Nenhum item encerrado' : 'Nada a conferir'}
          >
            {isClosed
              ? 'O que for encerrado, pelo gateway ou por alguém, fica aqui com a prova.'
              : 'O que os livros e o banco contarem de modo diferente aparece aqui.'}
          </EmptyState>
        ) : (
          <>
            <Table
              label="Itens"
              columns={columns}
              rows={items}
              rowKey={({ id }) => id}
              openLabel="Detalhes"
              onOpen={({ id }) => setSelectedId(id)}
              narrowRowContent={(item) => ({
                start: <span className="font-medium whitespace-normal">{itemTextOf(item.kind).title}</span>,
                startDetail: (
                  <>
                    <span className="block">{formatDateTime(item.opened_at)}</span>
                    <span className="block whitespace-normal [overflow-wrap:anywhere]">
                      <Code>{formatItemReference(item)}</Code>
                    </span>
                  </>
                ),
                end: <ItemBadge item={item} />,
              })}
            />
            {data && items && (
              <AdminPagination noun="Itens" list={data} rowCount={items.length} onPage={onPage} />
            )}
          </>
        )}
      </ListBody>
      {selectedItem !== undefined && (
        <ItemDetail item={selectedItem} onClose={() => setSelectedId(undefined)} />
      )}
    </>
  );
}

function ItemBadge({ item }: { item: OpenItem }) {
  return item.closed_at === null ? (
    <StatusBadge status="waiting">Aberto</StatusBadge>
  ) : (
    <StatusBadge status="done">Encerrado</StatusBadge>
  );
}

const columns: readonly Column<OpenItem>[] = [
  {
    key: 'kind',
    head: 'O que é',
    cell: (item) => (
      <span className="block py-2">
        <span className="block font-medium">{itemTextOf(item.kind).title}</span>
        <span className="block max-w-96 truncate">
          <Code className="text-muted">{formatItemReference(item)}</Code>
        </span>
      </span>
    ),
    skeleton: 'w-56',
  },
  { key: 'opened', head: 'Aberto em', cell: ({ opened_at }) => formatDateTime(opened_at), skeleton: 'w-32' },
  { key: 'status', head: 'Situação', cell: (item) => <ItemBadge item={item} />, skeleton: 'h-5.5 w-20' },
];
