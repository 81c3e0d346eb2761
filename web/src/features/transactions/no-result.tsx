import type { ReactNode } from 'react';
import { formatDayMonth } from '../../format/date.ts';
import { Button, Code, EmptyState } from '../../ui/index.ts';
import type { FeedFilter } from './feed-filter.ts';

const statusTexts = { paid: 'cobrança paga', pending: 'cobrança pendente' };

/** Shown when the filter matches nothing: describes the filter in words, and offers to clear it. */
export function NoResult({ filter, onClear }: { filter: FeedFilter; onClear: () => void }) {
  return (
    <EmptyState
      drawing="no-result"
      title="Nada com esse filtro"
      action={<Button onClick={onClear}>Limpar filtros</Button>}
    >
      Nenhuma {filter.status ? statusTexts[filter.status] : 'cobrança'}
      {filter.search !== undefined && (
        <>
          {' '}
          com <Code className="text-base-content">{filter.search}</Code>
        </>
      )}
      {periodText(filter)}.
    </EmptyState>
  );
}

function periodText({ from, to }: FeedFilter): ReactNode {
  if (from && to)
    return from === to
      ? ` em ${formatDayMonth(from)}`
      : ` entre ${formatDayMonth(from)} e ${formatDayMonth(to)}`;
  if (from) return ` desde ${formatDayMonth(from)}`;
  return to ? ` até ${formatDayMonth(to)}` : '';
}
