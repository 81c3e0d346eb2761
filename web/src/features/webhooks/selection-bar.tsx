import { WEBHOOK_LIMITS, type WebhookDelivery } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { Button, toast } from '../../ui/index.ts';
import { isResendable, urlWithoutScheme } from './delivery-words.ts';
import { ResendPeriodDialog } from './resend-period-dialog.tsx';
import { CALLBACK } from './webhook-search.ts';
import { endpointsQuery, resendActions } from './webhooks-queries.ts';

type SelectionBarProps = {
  deliveries: readonly WebhookDelivery[];
  /** The ids of the selected deliveries. */
  selected: ReadonlySet<string>;
  /** The id of the endpoint that the list is filtered by. */
  endpoint: string | undefined;
  onSelect: (selected: ReadonlySet<string>) => void;
  onDone: () => void;
};

/** The bar above the list while the merchant selects webhook deliveries to resend. */
export function SelectionBar({ deliveries, selected, endpoint, onSelect, onDone }: SelectionBarProps) {
  const receivers = useReceivers();
  const [isPeriodDialogOpen, setIsPeriodDialogOpen] = useState(false);
  const { isSending, error, resendable, isOverLimit, send } = useResending({ deliveries, selected, onDone });
  const isAllSelected = selected.size === resendable.length;
  return (
    <section
      aria-label="Reenviar várias"
      className="mb-3 grid gap-3 rounded-box bg-base-200 px-4 py-3 md:flex md:items-center"
    >
      <p aria-live="polite" className="grow">
        {selectionText(selected.size)}
        {error !== undefined && <span className="block font-medium text-error">{error}</span>}
      </p>
      <div className="flex flex-wrap gap-2 max-md:*:grow">
        {selected.size === 0 && (
          <Button size="small" disabled={isSending} onClick={() => setIsPeriodDialogOpen(true)}>
            Um período
          </Button>
        )}
        <Button
          size="small"
          disabled={isSending}
          onClick={() => onSelect(isAllSelected ? new Set() : new Set(resendable.map(({ id }) => id)))}
        >
          {isAllSelected && selected.size > 0 ? 'Nenhuma' : 'Todas da lista'}
        </Button>
        <Button size="small" disabled={isSending} onClick={onDone}>
          Cancelar
        </Button>
        <Button
          size="small"
          variant="primary"
          disabled={selected.size === 0 || isOverLimit}
          isSending={isSending}
          onClick={send}
        >
          Reenviar
        </Button>
      </div>
      {isPeriodDialogOpen && (
        <ResendPeriodDialog
          receivers={receivers}
          endpoint={endpoint}
          onClose={() => setIsPeriodDialogOpen(false)}
          onResent={(resent, skipped, hasMore) => {
            toast(`${resentText(resent, skipped)}${hasMore ? '. Há mais: repita' : ''}`);
            onDone();
          }}
        />
      )}
    </section>
  );
}

function selectionText(count: number): string {
  if (count === 0) return 'Escolha na lista o que deve ir de novo, ou reenvie o que falhou em um período.';
  if (count > WEBHOOK_LIMITS.resendIds)
    return `${count} escolhidas: são no máximo ${WEBHOOK_LIMITS.resendIds} por vez.`;
  return count === 1 ? '1 escolhida.' : `${count} escolhidas.`;
}

type UseResendingOptions = Pick<SelectionBarProps, 'deliveries' | 'selected' | 'onDone'>;

/**
 * Resends the selected deliveries. `resendable` are the listed deliveries that can be resent, up to the number that one
 * call accepts.
 */
function useResending({ deliveries, selected, onDone }: UseResendingOptions) {
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<string>();
  const resendable = deliveries.filter(isResendable).slice(0, WEBHOOK_LIMITS.resendIds);
  const isOverLimit = selected.size > WEBHOOK_LIMITS.resendIds;
  const send = async () => {
    setIsSending(true);
    setError(undefined);
    try {
      const { resent, skipped } = await resendActions.many({ ids: [...selected] });
      toast(resentText(resent, skipped));
      onDone();
    } catch (failure) {
      setError(errorText(failure, 'Erro ao reenviar. Tente novamente.'));
    } finally {
      setIsSending(false);
    }
  };

  return { isSending, error, resendable, isOverLimit, send };
}

/**
 * The receivers that the list can be filtered by: each endpoint under its description or URL, and one entry for all
 * callbacks, the URLs given with single charges and withdrawals.
 */
export function useReceivers(): { value: string; label: string }[] {
  const endpoints = useQuery(endpointsQuery).data?.endpoints ?? [];
  return [
    ...endpoints.map(({ id, url, description }) => ({
      value: id,
      label: description === '' ? urlWithoutScheme(url) : description,
    })),
    { value: CALLBACK, label: 'Callback das cobranças' },
  ];
}

/** How many deliveries are being resent, and how many were skipped because they cannot be. */
function resentText(resent: number, skipped: number): string {
  if (resent === 0 && skipped === 0) return 'Nada a reenviar';
  const resentCountText = resent === 1 ? '1 entrega a caminho' : `${resent} entregas a caminho`;
  if (skipped === 0) return resentCountText;
  return `${resentCountText}; ${skipped} não ${skipped === 1 ? 'pôde' : 'puderam'} ir de novo`;
}
