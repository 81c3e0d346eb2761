import type { PaymentRefundsModel, RefundModel, TransactionModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { useLiveState } from '../../api/live-state.ts';
import { POLL_MS, settingsQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { wasCredited } from '../../format/charge-status.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { makerText } from '../../panel/members/maker-text.ts';
import { type GlyphName, StatusBadge } from '../../ui/index.ts';
import { refundsQuery } from './charge-history-queries.ts';

const badges: Record<RefundModel['status'], { glyph: GlyphName; label: string }> = {
  processing: { glyph: 'processing', label: 'A caminho' },
  completed: { glyph: 'returned', label: 'Devolvido' },
  failed: { glyph: 'failed', label: 'Não devolvido' },
};

/** A payment's refunds: completed, in progress and failed. */
export function RefundList({ refunds }: { refunds: readonly RefundModel[] }) {
  return (
    <section aria-labelledby="refunds" className="mt-4">
      <h3 id="refunds" className="text-xs font-medium text-muted">
        Estornos
      </h3>
      <ul className="mt-1 divide-y divide-base-300 border-y border-base-300">
        {refunds.map((refund) => (
          <li key={refund.id} className="py-2.5">
            <div className="flex items-center justify-between gap-4">
              {refund.awaitsApproval ? (
                <StatusBadge status="waiting">Espera aprovação</StatusBadge>
              ) : (
                <StatusBadge status={badges[refund.status].glyph}>{badges[refund.status].label}</StatusBadge>
              )}
              <span className="font-medium tabular-nums">{formatMoney(refund.amountCents)}</span>
            </div>
            <p className="mt-1 text-xs text-muted">{detailsOf(refund)}</p>
            {/* A refund in progress may have an error too, which says why the refund is delayed. */}
            {refund.error !== null && (
              <p className={`mt-1 text-xs ${refund.status === 'failed' ? 'text-error' : 'text-muted'}`}>
                {refund.error}{' '}
                {refund.awaitsApproval && (
                  <Link to={paths.approvals} search={{ order: refund.id }} className="link">
                    Ver o pedido
                  </Link>
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const origins: Record<RefundModel['origin'], string> = {
  panel: 'pedido no painel',
  api: 'pedido pela API',
  operator: 'pedido pelo operador',
  bank: 'devolvido pelo banco',
};

/** The time, origin and reason of a refund: `21/11/2026 14:32 · pedido por Joana Dias · Produto em falta`. */
function detailsOf({ createdAt, completedAt, origin, madeBy, reason }: RefundModel): string {
  const source = madeBy === null ? origins[origin] : `pedido por ${makerText(madeBy)}`;
  return [formatDateTime(completedAt ?? createdAt), source, ...(reason === '' ? [] : [reason])].join(' · ');
}

/**
 * The polling interval in milliseconds; false for no polling. Only refunds in progress are polled, and only while the
 * live channel, which reports their changes, is not open.
 */
function pollInterval(liveState: string, refunds: PaymentRefundsModel | undefined): number | false {
  const isInProgress = refunds?.refunds.some(({ status }) => status === 'processing') ?? false;
  return isInProgress && liveState !== 'open' ? POLL_MS : false;
}

/**
 * The query for the refunds of a payment. `canRefund` is false when the provider (the gateway behind the dashboard) or
 * its bank cannot refund.
 */
export function useRefunds({ id, status }: TransactionModel) {
  const settings = useQuery(settingsQuery);
  const liveState = useLiveState();
  const isBankWithoutRefunds = settings.data?.refunds === false;
  const refunds = useQuery({
    ...refundsQuery(id),
    enabled: wasCredited(status) && !isBankWithoutRefunds && !settings.isPending,
    refetchInterval: ({ state }) => pollInterval(liveState, state.data),
  });
  return { ...refunds, canRefund: !isBankWithoutRefunds && !(refunds.error instanceof UnsupportedCallError) };
}
