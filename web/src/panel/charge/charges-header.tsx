import { listHeldPix } from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { paths } from '../../app/paths.ts';
import { TabbedHeader } from '../tabbed-header.tsx';
import type { ChargesTab } from './charges-search.ts';

const COUNTED_AT_MOST = 99;

/** With this the keys of all queries about held Pix begin. */
export const HELD_PIX = 'held-pix';

/** How many Pix wait for a decision, as far as they are counted. */
const waitingQuery = queryOptions({
  queryKey: [HELD_PIX, 'waiting'],
  queryFn: async ({ signal }) => {
    const { data, next } = await call(listHeldPix, {
      query: { state: 'open', limit: COUNTED_AT_MOST },
      signal,
    });
    return next === null ? String(data.length) : `${COUNTED_AT_MOST}+`;
  },
});

type ChargesHeaderProps = { tab: ChargesTab | undefined; sentence: string; actions?: ReactNode };

/** The header of the list of charges, of batches and of held Pix. Its last tab says how many Pix wait for a decision. */
export function ChargesHeader({ tab, sentence, actions }: ChargesHeaderProps) {
  const waiting = useQuery(waitingQuery).data ?? '0';
  const tabs = [
    { label: 'Cobranças', isCurrent: tab === undefined },
    { label: 'Lotes', search: { tab: 'batches' }, isCurrent: tab === 'batches' },
    {
      label: waiting === '0' ? 'Pix retidos' : `Pix retidos (${waiting})`,
      search: { tab: 'held' },
      isCurrent: tab === 'held',
    },
  ] as const;
  return (
    <TabbedHeader
      title="Cobranças"
      sentence={sentence}
      actions={actions}
      tabs={tabs.map((entry) => ({ to: paths.dueCharges, ...entry }))}
    />
  );
}
