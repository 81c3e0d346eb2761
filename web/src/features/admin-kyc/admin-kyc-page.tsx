import type { PendingKycModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { paths } from '../../app/paths.ts';
import { formatRelative } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { pageCountOf } from '../../panel/address-search.ts';
import { ListBody, Refresh, rowsOf } from '../../panel/list-body.tsx';
import { EmptyState, Notice, PageHeader, Pagination } from '../../ui/index.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { DocumentsDialog } from './documents-dialog.tsx';
import { type PendingFilter, pendingFilterFrom } from './pending-filter.ts';
import { PendingList } from './pending-list.tsx';
import { pendingQuery } from './pending-query.ts';
import { RejectDialog } from './reject-dialog.tsx';
import { useDecision } from './use-decision.ts';

/** New submissions appear by themselves. */
const POLL_MS = 15_000;
const FAILURE = 'Erro ao carregar verificações pendentes';

/** A decision that was begun and waits to be confirmed. */
type Asking = { what: 'approve' | 'reject'; pending: PendingKycModel } | undefined;

/** Accounts that await a decision, oldest first: review the documents, then decide. */
export function AdminKycPage() {
  const filter: PendingFilter = pendingFilterFrom(useSearch({ strict: false }));
  const page = filter.page ?? 1;
  const navigate = useNavigate();
  const list = useQuery({ ...pendingQuery(page), refetchInterval: POLL_MS });
  const [asking, setAsking] = useState<Asking>();

  const show = (next: PendingFilter, replace = false) =>
    navigate({ to: paths.adminKyc, search: next, replace });
  const close = () => {
    setAsking(undefined);
    const { id: _id, ...kept } = filter;
    if (filter.id !== undefined) void show(kept, true);
  };
  const decision = useDecision(close);
  const ask = (what: 'approve' | 'reject') => (pending: PendingKycModel) => {
    decision.forget();
    setAsking({ what, pending });
  };

  const items = rowsOf(list, list.data?.items);
  const open = items?.find(({ userId }) => userId === String(filter.id));
  const pageCount = list.data === undefined ? 1 : pageCountOf(list.data);
  // Decisions may empty the last page; the one before it is then shown.
  const beyond = !list.isPlaceholderData && items?.length === 0 && page > 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what leads away is the end of the list
  useEffect(() => {
    if (beyond) void show(pendingFilterFrom({ page: Math.min(pageCount, page - 1) }), true);
  }, [beyond]);

  return (
    <>
      <PageHeader
        title="Verificações KYC"
        sentence={sentenceOf(items, list.data?.total, page)}
        actions={<Refresh of={list} failure={FAILURE} />}
      />
      {decision.tooLate !== undefined && <TooLateNotice tooLate={decision.tooLate} />}
      <ListBody of={list} title={FAILURE} meanwhile="Nenhuma verificação se perdeu.">
        <Pendings
          items={items}
          beyond={beyond}
          decision={decision}
          onShow={show}
          filter={filter}
          onAsk={ask}
          list={list}
          pageCount={pageCount}
          page={page}
        />
      </ListBody>
      <DecisionDialogs
        open={open}
        decision={decision}
        onAsk={ask}
        onClose={close}
        asking={asking}
        onAsking={setAsking}
      />
    </>
  );
}

type PendingsProps = {
  items: PendingKycModel[] | undefined;
  beyond: boolean;
  decision: ReturnType<typeof useDecision>;
  onShow: (next: PendingFilter) => void;
  filter: PendingFilter;
  onAsk: (what: 'approve' | 'reject') => (pending: PendingKycModel) => void;
  list: { data: { total: number } | undefined };
  pageCount: number;
  page: number;
};

function Pendings({ items, beyond, decision, onShow, filter, onAsk, list, pageCount, page }: PendingsProps) {
  if (items?.length === 0 && !beyond)
    return (
      <EmptyState className="border-t border-base-300" drawing="all-done" title="Tudo em dia">
        Nenhuma verificação pendente. A próxima aparece aqui assim que for enviada.
      </EmptyState>
    );
  return (
    <>
      <PendingList
        items={items}
        onView={({ userId }) => {
          decision.forget();
          void onShow(pendingFilterFrom({ ...filter, id: userId }));
        }}
        onReject={onAsk('reject')}
        onApprove={onAsk('approve')}
      />
      {list.data && items && pageCount > 1 && (
        <Pagination
          page={page}
          pageCount={pageCount}
          onPage={(next) => onShow(pendingFilterFrom({ page: next }))}
          summary={`${formatCount(list.data.total)} verificações`}
        />
      )}
    </>
  );
}

type DecisionDialogsProps = {
  open: PendingKycModel | undefined;
  decision: ReturnType<typeof useDecision>;
  onAsk: (what: 'approve' | 'reject') => (pending: PendingKycModel) => void;
  onClose: () => void;
  asking: Asking;
  onAsking: (asking: Asking) => void;
};

function DecisionDialogs({ open, decision, onAsk, onClose, asking, onAsking }: DecisionDialogsProps) {
  const giveUp = () => {
    decision.forget();
    onAsking(undefined);
  };
  return (
    <>
      {open !== undefined && (
        <DocumentsDialog
          pending={open}
          // A failure is told in the dialog in front alone.
          decision={asking === undefined ? decision : { ...decision, failure: undefined }}
          onReject={() => onAsk('reject')(open)}
          onClose={onClose}
        />
      )}
      {asking?.what === 'approve' && (
        <ApproveDialog pending={asking.pending} decision={decision} onClose={giveUp} />
      )}
      {asking?.what === 'reject' && (
        <RejectDialog pending={asking.pending} decision={decision} onClose={giveUp} />
      )}
    </>
  );
}

function TooLateNotice({ tooLate }: { tooLate: NonNullable<ReturnType<typeof useDecision>['tooLate']> }) {
  return (
    <div role="alert" className="mb-4">
      <Notice tone="warning" title={`${tooLate.name}:`}>
        {tooLate.message}
      </Notice>
    </div>
  );
}

/** The oldest submission is the first row of the first page. */
function sentenceOf(items: PendingKycModel[] | undefined, total: number | undefined, page: number): string {
  if (total === undefined || total === 0) return 'Documentos enviados por quem quer receber por Pix.';
  const waiting =
    total === 1 ? '1 pessoa espera resposta.' : `${formatCount(total)} pessoas esperam resposta.`;
  const oldest = page === 1 ? formatRelative(items?.[0]?.submittedAt, new Date()) : '';
  if (oldest === '') return waiting;
  return total === 1 ? `1 pessoa espera resposta, ${oldest}.` : `${waiting} A mais antiga, ${oldest}.`;
}
