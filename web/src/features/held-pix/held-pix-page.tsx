import type { HeldPix } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { ChargesHeader } from '../../panel/charge/charges-header.tsx';
import { chargesSearchFrom } from '../../panel/charge/charges-search.ts';
import { ListBody, LoadMore, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import {
  buttonClass,
  type Column,
  EmptyState,
  SegmentedControl,
  StatusBadge,
  Table,
} from '../../ui/index.ts';
import { HeldPixDialog } from './held-pix-dialog.tsx';
import { heldPixQuery } from './held-pix-queries.ts';
import { deadlineText, heldBadges, reasonTexts } from './held-pix-words.ts';

const FAILURE = 'Erro ao buscar os Pix retidos';

/** The Pix that name a charge and were not credited to it, for the merchant to decide. */
export function HeldPixPage() {
  const { id, state } = useSearch(chargesSearchFrom) ?? {};
  const navigate = useNavigate();
  const shown = state === 'all' ? 'all' : 'open';
  const list = useInfiniteQuery(heldPixQuery(shown));
  const rows = rowsOf(
    list,
    list.data?.pages.flatMap(({ data }) => data),
  );
  const opened = id === undefined ? undefined : rows?.find((pix) => pix.id === id);
  const show = (search: { state?: string; id?: string }, replace = false) =>
    void navigate({ to: paths.dueCharges, search: { tab: 'held', ...search }, replace });
  const withState = shown === 'all' ? { state: 'all' } : {};
  return (
    <>
      <ChargesHeader
        tab="held"
        sentence="Pix que chegaram por uma cobrança e não são como se esperava. Você decide o que fazer com eles."
        actions={
          <>
            <RefreshQueryButton query={list} failure={FAILURE} />
            <Link to={paths.dueCharges} search={{ tab: 'rules' }} className={buttonClass()}>
              Quem pode pagar
            </Link>
          </>
        }
      />
      <SegmentedControl
        label="Quais"
        className="mb-3"
        segments={[
          { value: 'open', label: 'Para decidir' },
          { value: 'all', label: 'Todos' },
        ]}
        value={shown}
        onChange={(value) => show(value === 'all' ? { state: value } : {})}
      />
      <ListBody query={list} title={FAILURE} reassurance="O dinheiro está guardado, e nada foi decidido.">
        {rows?.length === 0 ? (
          <NothingHeld isAll={shown === 'all'} />
        ) : (
          <>
            <Table
              label="Pix retidos"
              columns={columns}
              rows={rows}
              rowKey={(pix) => pix.id}
              openLabel="Ver"
              onOpen={(pix) => show({ ...withState, id: pix.id })}
              narrowRowContent={(pix) => ({
                start: <bdi className="line-clamp-1 wrap-anywhere">{payerName(pix)}</bdi>,
                startDetail: `${reasonTexts[pix.why].short} · ${whenText(pix)}`,
                end: formatMoney(centsOf(pix.amount)),
                endDetail: <State {...pix} />,
              })}
            />
            <LoadMore query={list} failure={FAILURE} />
          </>
        )}
      </ListBody>
      {opened !== undefined && (
        <HeldPixDialog key={opened.id} pix={opened} onClose={() => show(withState, true)} />
      )}
    </>
  );
}

function NothingHeld({ isAll }: { isAll: boolean }) {
  return isAll ? (
    <EmptyState drawing="nothing-yet" title="Nenhum Pix retido até hoje">
      Um Pix de outra pessoa, fora do prazo ou em dobro aparece aqui quando a sua regra é perguntar a você.
    </EmptyState>
  ) : (
    <EmptyState drawing="all-done" title="Nada para decidir">
      Em Quem pode pagar você escolhe o que é aceito, devolvido ou espera a sua decisão.
    </EmptyState>
  );
}

const payerName = ({ payer }: HeldPix) => payer?.name ?? 'Pagador não informado';

function whenText(pix: HeldPix): string {
  return pix.state === 'held' ? deadlineText(pix, new Date()) : formatDateTime(pix.decided_at ?? pix.held_at);
}

const columns: readonly Column<HeldPix>[] = [
  {
    key: 'payer',
    head: 'Quem pagou',
    cell: (pix) => (
      <span className="block max-w-64">
        <bdi className="block truncate font-medium">{payerName(pix)}</bdi>
        <span className="block truncate text-xs text-muted">{pix.payer?.document}</span>
      </span>
    ),
    width: 'w-[26%]',
  },
  { key: 'why', head: 'Motivo', cell: ({ why }) => reasonTexts[why].short, skeleton: 'w-28' },
  {
    key: 'charge',
    head: 'Cobrança',
    cell: ({ external_id, payment_id }) => (
      <bdi className="block max-w-40 truncate">{external_id ?? shortId(payment_id)}</bdi>
    ),
  },
  {
    key: 'amount',
    head: 'Valor',
    cell: ({ amount }) => formatMoney(centsOf(amount)),
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'state',
    head: 'Situação',
    cell: (pix) => (
      <>
        <State {...pix} />
        <span className="mt-1 block text-xs text-muted">{whenText(pix)}</span>
      </>
    ),
    skeleton: 'h-5.5 w-20',
  },
];

function State({ state }: HeldPix) {
  return <StatusBadge status={heldBadges[state].glyph}>{heldBadges[state].label}</StatusBadge>;
}
