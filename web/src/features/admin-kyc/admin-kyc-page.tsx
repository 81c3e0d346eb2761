import type { PendingKycModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { paths } from '../../app/paths.ts';
import { formatRelative } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { pageCountOf } from '../../panel/url-params.ts';
import { EmptyState, Notice, PageHeader, Pagination } from '../../ui/index.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { DocumentsDialog } from './documents-dialog.tsx';
import { type PendingFilter, pendingFilterFrom } from './pending-filter.ts';
import { PendingList } from './pending-list.tsx';
import { pendingKycQuery } from './pending-query.ts';
import { RejectDialog } from './reject-dialog.tsx';
import { type KycDecisionActions, useDecision } from './use-decision.ts';

/** The list is polled, so that new submissions appear without a reload. */
const POLL_MS = 15_000;
const FAILURE = 'Erro ao carregar verificações pendentes';

type DecisionKind = 'approve' | 'reject';

/** The decision whose confirmation dialog is open. */
type Confirmation = { kind: DecisionKind; pending: PendingKycModel } | undefined;

/**
 * The queue of identity verifications (KYC). Account holders prove their identity with pictures of documents. An
 * administrator reviews the pictures, oldest submission first, and approves or rejects each verification.
 */
export function AdminKycPage() {
  const filter = useSearch(pendingFilterFrom);
  const page = filter.page ?? 1;
  const navigate = useNavigate();
  const list = useQuery({ ...pendingKycQuery(page), refetchInterval: POLL_MS });
  const [confirmation, setConfirmation] = useState<Confirmation>();

  const applyFilter = (newFilter: PendingFilter, replace = false) =>
    navigate({ to: paths.adminKyc, search: newFilter, replace });
  const closeDialogs = () => {
    setConfirmation(undefined);
    const { id: _id, ...restOfFilter } = filter;
    if (filter.id !== undefined) void applyFilter(restOfFilter, true);
  };
  const decision = useDecision(closeDialogs);
  const askConfirmation = (kind: DecisionKind, pending: PendingKycModel) => {
    decision.clearFailure();
    setConfirmation({ kind, pending });
  };

  const items = rowsOf(list, list.data?.items);
  const reviewedItem = items?.find(({ userId }) => userId === String(filter.id));
  const pageCount = list.data === undefined ? 1 : pageCountOf(list.data);
  // A decision may leave the last page empty; then the nearest page that has rows is shown instead.
  const isPastLastPage = !list.isPlaceholderData && items?.length === 0 && page > 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an empty last page may change the page
  useEffect(() => {
    if (isPastLastPage) void applyFilter(pendingFilterFrom({ page: Math.min(pageCount, page - 1) }), true);
  }, [isPastLastPage]);

  return (
    <>
      <PageHeader
        title="Verificações KYC"
        sentence={sentenceOf(items, list.data?.total, page)}
        actions={<RefreshQueryButton query={list} failure={FAILURE} />}
      />
      {decision.conflict !== undefined && <ConflictNotice conflict={decision.conflict} />}
      <ListBody query={list} title={FAILURE} reassurance="Nenhuma verificação se perdeu.">
        <PendingItems
          items={items}
          isPastLastPage={isPastLastPage}
          decision={decision}
          onFilter={applyFilter}
          filter={filter}
          onAskConfirmation={askConfirmation}
          total={list.data?.total}
          pageCount={pageCount}
          page={page}
        />
      </ListBody>
      <DecisionDialogs
        reviewedItem={reviewedItem}
        decision={decision}
        onAskConfirmation={askConfirmation}
        onClose={closeDialogs}
        confirmation={confirmation}
        onConfirmation={setConfirmation}
      />
    </>
  );
}

type PendingItemsProps = {
  items: PendingKycModel[] | undefined;
  isPastLastPage: boolean;
  decision: KycDecisionActions;
  onFilter: (newFilter: PendingFilter) => void;
  filter: PendingFilter;
  /** Opens the dialog that asks for a confirmation of the decision. */
  onAskConfirmation: (kind: DecisionKind, pending: PendingKycModel) => void;
  /** The number of pending verifications on all pages; undefined while loading. */
  total: number | undefined;
  pageCount: number;
  page: number;
};

function PendingItems({
  items,
  isPastLastPage,
  decision,
  onFilter,
  filter,
  onAskConfirmation,
  total,
  pageCount,
  page,
}: PendingItemsProps) {
  if (items?.length === 0 && !isPastLastPage)
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
          decision.clearFailure();
          void onFilter(pendingFilterFrom({ ...filter, id: userId }));
        }}
        onReject={(pending) => onAskConfirmation('reject', pending)}
        onApprove={(pending) => onAskConfirmation('approve', pending)}
      />
      {total !== undefined && items && pageCount > 1 && (
        <Pagination
          page={page}
          pageCount={pageCount}
          onPage={(newPage) => onFilter(pendingFilterFrom({ page: newPage }))}
          summary={`${formatCount(total)} verificações`}
        />
      )}
    </>
  );
}

type DecisionDialogsProps = {
  reviewedItem: PendingKycModel | undefined;
  decision: KycDecisionActions;
  /** Opens the dialog that asks for a confirmation of the decision. */
  onAskConfirmation: (kind: DecisionKind, pending: PendingKycModel) => void;
  onClose: () => void;
  confirmation: Confirmation;
  onConfirmation: (confirmation: Confirmation) => void;
};

function DecisionDialogs({
  reviewedItem,
  decision,
  onAskConfirmation,
  onClose,
  confirmation,
  onConfirmation,
}: DecisionDialogsProps) {
  const cancelDecision = () => {
    decision.clearFailure();
    onConfirmation(undefined);
  };
  return (
    <>
      {reviewedItem !== undefined && (
        <DocumentsDialog
          pending={reviewedItem}
          // While a confirmation is in front of this dialog, only the confirmation shows a failure.
          decision={confirmation === undefined ? decision : { ...decision, failure: undefined }}
          onReject={() => onAskConfirmation('reject', reviewedItem)}
          onClose={onClose}
        />
      )}
      {confirmation?.kind === 'approve' && (
        <ApproveDialog pending={confirmation.pending} decision={decision} onClose={cancelDecision} />
      )}
      {confirmation?.kind === 'reject' && (
        <RejectDialog pending={confirmation.pending} decision={decision} onClose={cancelDecision} />
      )}
    </>
  );
}

function ConflictNotice({ conflict }: { conflict: NonNullable<KycDecisionActions['conflict']> }) {
  return (
    <div role="alert" className="mb-4">
      <Notice tone="warning" title={`${conflict.name}:`}>
        {conflict.message}
      </Notice>
    </div>
  );
}

/**
 * How many people wait, and how long the first of them has waited. The oldest submission is the first row of page 1, so
 * only that page can say how long.
 */
function sentenceOf(items: PendingKycModel[] | undefined, total: number | undefined, page: number): string {
  if (total === undefined || total === 0) return 'Documentos enviados por quem quer receber por Pix.';
  const waitingText =
    total === 1 ? '1 pessoa espera resposta.' : `${formatCount(total)} pessoas esperam resposta.`;
  const longestWait = page === 1 ? formatRelative(items?.[0]?.submittedAt, new Date()) : '';
  if (longestWait === '') return waitingText;
  return total === 1
    ? `1 pessoa espera resposta, ${longestWait}.`
    : `${waitingText} A mais antiga, ${longestWait}.`;
}
