import { WEBHOOKS, type WebhookDelivery } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { Button, toast } from '../../ui/index.ts';
import { resendable, shortAddress } from './delivery-words.ts';
import { ResendPeriodDialog } from './resend-period-dialog.tsx';
import { CALLBACK } from './webhook-search.ts';
import { endpointsQuery, resending } from './webhooks-queries.ts';

type ChoiceBarProps = {
  deliveries: readonly WebhookDelivery[];
  chosen: ReadonlySet<string>;
  endpoint: string | undefined;
  onChosen: (chosen: ReadonlySet<string>) => void;
  onDone: () => void;
};

/** The bar above the list while deliveries are being selected. */
export function ChoiceBar({ deliveries, chosen, endpoint, onChosen, onDone }: ChoiceBarProps) {
  const receivers = useReceivers();
  const [ofPeriod, setOfPeriod] = useState(false);
  const { sending, error, possible, tooMany, send } = useResending({ deliveries, chosen, onDone });
  return (
    <section
      aria-label="Reenviar várias"
      className="mb-3 grid gap-3 rounded-box bg-base-200 px-4 py-3 md:flex md:items-center"
    >
      <p aria-live="polite" className="grow">
        {chosen.size === 0
          ? 'Escolha na lista o que deve ir de novo, ou reenvie o que falhou em um período.'
          : tooMany
            ? `${chosen.size} escolhidas: são no máximo ${WEBHOOKS.resendIds} por vez.`
            : `${chosen.size === 1 ? '1 escolhida' : `${chosen.size} escolhidas`}.`}
        {error !== undefined && <span className="block font-medium text-error">{error}</span>}
      </p>
      <div className="flex flex-wrap gap-2 max-md:*:grow">
        {chosen.size === 0 && (
          <Button size="small" disabled={sending} onClick={() => setOfPeriod(true)}>
            Um período
          </Button>
        )}
        <Button
          size="small"
          disabled={sending}
          onClick={() =>
            onChosen(chosen.size === possible.length ? new Set() : new Set(possible.map(({ id }) => id)))
          }
        >
          {chosen.size === possible.length && chosen.size > 0 ? 'Nenhuma' : 'Todas da lista'}
        </Button>
        <Button size="small" disabled={sending} onClick={onDone}>
          Cancelar
        </Button>
        <Button
          size="small"
          variant="primary"
          disabled={chosen.size === 0 || tooMany}
          sending={sending}
          onClick={send}
        >
          Reenviar
        </Button>
      </div>
      {ofPeriod && (
        <ResendPeriodDialog
          endpoints={receivers}
          endpoint={endpoint}
          onClose={() => setOfPeriod(false)}
          onResent={(resent, skipped, hasMore) => {
            toast(`${resentWords(resent, skipped)}${hasMore ? '. Há mais: repita' : ''}`);
            onDone();
          }}
        />
      )}
    </section>
  );
}

type UseResendingOptions = {
  deliveries: readonly WebhookDelivery[];
  chosen: ReadonlySet<string>;
  onDone: () => void;
};

function useResending({ deliveries, chosen, onDone }: UseResendingOptions) {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const possible = deliveries.filter(resendable).slice(0, WEBHOOKS.resendIds);
  const tooMany = chosen.size > WEBHOOKS.resendIds;
  const send = async () => {
    setSending(true);
    setError(undefined);
    try {
      const { resent, skipped } = await resending.many({ ids: [...chosen] });
      toast(resentWords(resent, skipped));
      onDone();
    } catch (failure) {
      setError(errorText(failure, 'Erro ao reenviar. Tente novamente.'));
    } finally {
      setSending(false);
    }
  };

  return { sending, error, possible, tooMany, send };
}

/** The receivers to filter by: each endpoint by its description or address, and the callbacks. */
export function useReceivers(): { value: string; label: string }[] {
  const endpoints = useQuery(endpointsQuery).data?.endpoints ?? [];
  return [
    ...endpoints.map(({ id, url, description }) => ({
      value: id,
      label: description === '' ? shortAddress(url) : description,
    })),
    { value: CALLBACK, label: 'Callback das cobranças' },
  ];
}

function resentWords(resent: number, skipped: number): string {
  if (resent === 0 && skipped === 0) return 'Nada a reenviar';
  const sent = resent === 1 ? '1 entrega a caminho' : `${resent} entregas a caminho`;
  if (skipped === 0) return sent;
  return `${sent}; ${skipped} não ${skipped === 1 ? 'pôde' : 'puderam'} ir de novo`;
}
