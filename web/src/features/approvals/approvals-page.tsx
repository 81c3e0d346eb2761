import { type ApprovalRequest, mayDo } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { RECHECK_MS } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import {
  type ApprovalsOf,
  approvalPolicyQuery,
  approvalQuery,
  approvalsQuery,
  isWaiting,
  waitsForMaker,
} from '../../panel/approvals/approvals-queries.ts';
import { ListBody, LoadFailure } from '../../panel/list-body.tsx';
import { useNow } from '../../panel/use-now.ts';
import { isLookingIn, memberRoleOf } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, EmptyState, PageHeader, SectionHeader } from '../../ui/index.ts';
import { approvalSearchFrom } from './approval-search.ts';
import { ApprovalSkeleton, ApprovalView } from './approval-view.tsx';
import { ApprovalsTable } from './approvals-table.tsx';
import { ExportButton } from './export-button.tsx';
import { PolicySection } from './policy-section.tsx';

const MINUTE_MS = 60_000;
const FAILURE_REASSURANCE = 'Nada foi aprovado nem recusado por isso.';

/** The approvals of the account, or the one request that the URL names. */
export function ApprovalsPage() {
  return <Approvals of="account" />;
}

/** The approvals of the operator's own acts, for its administrators. */
export function AdminApprovalsPage() {
  return <Approvals of="operator" />;
}

/** The path of the page. */
export const approvalsPathOf = (of: ApprovalsOf) =>
  of === 'operator' ? paths.adminApprovals : paths.approvals;

function Approvals({ of }: { of: ApprovalsOf }) {
  const { id, order } = useSearch(approvalSearchFrom);
  return id === undefined ? <ApprovalList of={of} orderId={order} /> : <ApprovalPage of={of} id={id} />;
}

function ApprovalPage({ of, id }: { of: ApprovalsOf; id: string }) {
  const approval = useQuery({
    ...approvalQuery(id),
    // Nobody is told of each approval, or that one was taken back.
    refetchInterval: ({ state }) => state.data !== undefined && isWaiting(state.data) && RECHECK_MS,
  });
  const now = useNow(approval.data?.status === 'open', MINUTE_MS);
  const isNotFound = approval.error instanceof ApiError && approval.error.status < 500 && !approval.data;
  const content = () => {
    if (approval.data) return <ApprovalView key={id} of={of} approval={approval.data} now={now} />;
    if (isNotFound && approval.error instanceof ApiError && approval.error.hasResponse)
      return (
        <EmptyState drawing="no-result" title="Pedido não encontrado.">
          Nenhum pedido desta conta tem este endereço. Se ele for de outra conta sua, troque de conta no menu
          do avatar.
        </EmptyState>
      );
    if (approval.isError)
      return (
        <LoadFailure query={approval} title="Erro ao buscar o pedido" reassurance={FAILURE_REASSURANCE} />
      );
    return <ApprovalSkeleton />;
  };
  return (
    <>
      <PageHeader
        title="Pedido de aprovação"
        sentence="O que foi pedido, e quem já aprovou."
        actions={
          <Link to={approvalsPathOf(of)} className={buttonClass()}>
            Todos os pedidos
          </Link>
        }
      />
      {content()}
    </>
  );
}

function ApprovalList({ of, orderId }: { of: ApprovalsOf; orderId: string | undefined }) {
  const navigate = useNavigate();
  const approvals = useQuery(approvalsQuery(of));
  const policy = useQuery(approvalPolicyQuery(of));
  const mayApprove = useSession((state) => of === 'operator' || mayDo(memberRoleOf(state), 'approve'));
  const mayExport = useSession(
    (state) =>
      of === 'operator' || (mayDo(memberRoleOf(state), 'read-approvals-export') && !isLookingIn(state)),
  );
  const { data } = approvals;
  const now = useNow((data?.open.length ?? 0) > 0, MINUTE_MS);
  const open = ({ id }: { id: string }) => void navigate({ to: approvalsPathOf(of), search: { id } });
  const named = orderId === undefined ? undefined : data?.open.find(({ order_id }) => order_id === orderId);
  // The withdrawal or refund that the URL names is shown by its request, and the list is no step back from it.
  useEffect(() => {
    if (named !== undefined)
      void navigate({ to: approvalsPathOf(of), search: { id: named.id }, replace: true });
  }, [named, navigate, of]);
  const isOff = policy.data?.policy.enabled === false;
  const isEmpty = data !== undefined && data.open.length === 0 && data.ended.length === 0;
  const ready = data?.open.filter(waitsForMaker) ?? [];
  const mine = data?.open.filter(({ may_approve }) => may_approve) ?? [];
  const others = data?.open.filter((request) => !request.may_approve && !waitsForMaker(request)) ?? [];
  return (
    <>
      <PageHeader
        title="Aprovações"
        sentence={sentenceOf(of, mayApprove)}
        actions={mayExport && !isEmpty && <ExportButton of={of} />}
      />
      <ListBody query={approvals} title="Erro ao buscar os pedidos" reassurance={FAILURE_REASSURANCE}>
        {data === undefined ? (
          <ApprovalsTable label="Pedidos" requests={undefined} now={now} onOpen={open} />
        ) : isEmpty && isOff ? null : isEmpty ? (
          <div className="border-t border-base-300">
            <EmptyState drawing="all-done" title="Nenhum pedido">
              Quando alguém pedir algo que precisa de aprovação, o pedido aparece aqui.
            </EmptyState>
          </div>
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
            <Requests id="ready" title="Prontos para você concluir" {...{ requests: ready, now, open }} />
            <Requests id="mine" title="Esperam a sua aprovação" {...{ requests: mine, now, open }} />
            <Requests
              id="others"
              title={mayApprove ? 'Esperam outras pessoas' : 'Esperam aprovação'}
              {...{ requests: others, now, open }}
            />
            <Requests id="ended" title="Terminados" isEnded {...{ requests: data.ended, now, open }} />
          </div>
        )}
      </ListBody>
      <PolicySection of={of} query={policy} />
    </>
  );
}

function sentenceOf(of: ApprovalsOf, mayApprove: boolean): string {
  if (of === 'operator') return 'Os atos da operação que outro administrador precisa aprovar.';
  return mayApprove
    ? 'O que só acontece depois que outra pessoa da conta aprova.'
    : 'Os seus pedidos que outra pessoa da conta precisa aprovar.';
}

type RequestsProps = {
  id: string;
  title: string;
  isEnded?: boolean;
  requests: ApprovalRequest[];
  now: number;
  open: (request: ApprovalRequest) => void;
};

function Requests({ id, title, isEnded = false, requests, now, open }: RequestsProps) {
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <SectionHeader id={id} title={title} />
      <ApprovalsTable label={title} isEnded={isEnded} requests={requests} now={now} onOpen={open} />
    </section>
  );
}
