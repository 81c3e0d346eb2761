import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { LoadFailure, LoadMore } from '../../panel/list-body.tsx';
import { NotApproved } from '../../panel/not-approved.tsx';
import { TabbedHeader } from '../../panel/tabbed-header.tsx';
import { EmptyState, OutdatedResults, SegmentedControl } from '../../ui/index.ts';
import type { OffersFilter } from './offers-filter.ts';

type OffersQuery = {
  isError: boolean;
  isPlaceholderData: boolean;
  isFetching: boolean;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
};

type OffersListProps = {
  /** The infinite query of the list. */
  query: OffersQuery;
  /** The number of loaded rows; undefined while loading. */
  rowCount: number | undefined;
  filter: OffersFilter;
  onFilter: (filter: OffersFilter) => void;
  isApproved: boolean;
  /** Shown instead of the list while the account has no link or code at all. */
  empty: ReactNode;
  /** The message when the list or its next page could not be loaded. */
  failure: string;
  /** The table. */
  children: ReactNode;
};

/** The list of payment links or counter codes with its filter, or the failure or empty state in its place. */
export function OffersList({
  query,
  rowCount,
  filter,
  onFilter,
  isApproved,
  empty,
  failure,
  children,
}: OffersListProps) {
  if (rowCount === undefined && query.isError)
    return (
      <LoadFailure
        query={query}
        title={failure}
        reassurance="O que já está no ar continua recebendo."
        notOffered="Este provedor não oferece links de pagamento."
      />
    );
  if (rowCount === 0 && filter.status === undefined)
    return isApproved ? empty : <NotApproved drawing="nothing-yet" />;
  return (
    <>
      <SegmentedControl
        label="Estado"
        className="mb-3"
        segments={[
          { value: 'all', label: 'Todos' },
          { value: 'active', label: 'Ativos' },
          { value: 'ended', label: 'Inativos' },
        ]}
        value={filter.status ?? 'all'}
        onChange={(status) => onFilter(status === 'all' ? {} : { status })}
      />
      <OutdatedResults when={query.isPlaceholderData}>
        {rowCount === 0 && !query.hasNextPage ? (
          <div className="border-t border-base-300">
            <EmptyState
              drawing="no-result"
              title={filter.status === 'active' ? 'Nenhum ativo' : 'Nenhum inativo'}
            >
              {filter.status === 'active'
                ? 'Nada está recebendo agora. Veja em Todos o que foi desligado ou terminou.'
                : 'O que for desligado ou terminar aparece aqui.'}
            </EmptyState>
          </div>
        ) : (
          children
        )}
      </OutdatedResults>
      <LoadMore query={query} failure={failure} />
    </>
  );
}

const tabs = [
  { to: paths.paymentLinks, label: 'Links' },
  { to: paths.counterCodes, label: 'QR Code do balcão' },
] as const;

/** The header of the screens for payment links and counter codes, with a tab for each. */
export function OffersHeader(props: { sentence: string; actions?: ReactNode }) {
  return <TabbedHeader title="Links de pagamento" tabs={tabs} {...props} />;
}
