import type { PaymentLink } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { CopyLink, ShareLink } from '../../panel/charge/link-buttons.tsx';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { Button, buttonClass, Dialog, type Fact, Facts, toast } from '../../ui/index.ts';
import { LatestPayments } from './latest-payments.tsx';
import { OfferNotThere } from './offer-not-there.tsx';
import { amountWords, closedWords, LinkState, money, paymentsWords, shownAddress } from './offer-words.tsx';
import { linkActions, linkQuery } from './offers-queries.ts';
import { useTurning } from './use-turning.ts';

type OpenLinkProps = {
  id: string;
  /** As the list has it, if it does. */
  listed: PaymentLink | undefined;
  /** It was made just now. */
  isNew: boolean;
  onEdit: (link: PaymentLink) => void;
  onClose: () => void;
};

/** The link that the address names: from the list, else asked for. */
export function OpenLink({ id, listed, isNew, onEdit, onClose }: OpenLinkProps) {
  const asked = useQuery({ ...linkQuery(id), enabled: listed === undefined });
  const link = listed ?? asked.data;
  if (link === undefined)
    return (
      <OfferNotThere
        title="Link de pagamento"
        query={asked}
        unknown="Este link não foi encontrado na sua conta."
        onClose={onClose}
      />
    );
  return <LinkDetail of={link} isNew={isNew} onEdit={() => onEdit(link)} onClose={onClose} />;
}

type LinkDetailProps = { of: PaymentLink; isNew: boolean; onEdit: () => void; onClose: () => void };

/** A link, ready to be sent or shown, and how it does. A bottom sheet on phones. */
function LinkDetail({ of, isNew, onEdit, onClose }: LinkDetailProps) {
  const { title, description, amount, active, url } = of;
  const [asked, setAsked] = useState(false);
  const turning = useTurning();
  const closed = closedWords(of);
  if (asked) return <TurnOffDialog of={of} onClose={() => setAsked(false)} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? 'Link criado' : 'Link de pagamento'}
      locked={turning.busy}
      footerStart={
        active ? (
          <Button variant="danger" onClick={() => setAsked(true)}>
            Desligar
          </Button>
        ) : (
          <Button
            sending={turning.busy}
            sendingWord="Ligando"
            onClick={() =>
              turning.run(() => linkActions.turn(of, true), 'Link ligado', linkActions.readAgain)
            }
          >
            Ligar
          </Button>
        )
      }
      footer={
        <>
          <Button className="max-md:hidden" onClick={onClose}>
            Fechar
          </Button>
          <Button onClick={onEdit}>Editar</Button>
        </>
      }
    >
      <div className="flex items-end justify-between gap-4">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums">{amountWords(amount)}</p>
        <LinkState of={of} />
      </div>
      <h3 className="mt-2 text-base font-strong wrap-anywhere">{title}</h3>
      {description !== null && (
        <p className="mt-0.5 whitespace-pre-line text-muted wrap-anywhere">{description}</p>
      )}
      {closed !== undefined && <p className="mt-2 text-muted">{closed}</p>}
      <div className="mt-4 grid gap-4 rounded-box bg-base-200 p-4 md:grid-cols-[10rem_minmax(0,1fr)] md:items-center">
        <QrCode
          content={url}
          alt="QR Code que abre o link"
          className="mx-auto w-full max-w-60 max-md:order-last md:p-3!"
        />
        <div className="grid gap-2">
          <p className="mb-1 text-xs break-all text-muted select-all">{shownAddress(url)}</p>
          <CopyLink variant="primary" block url={url} />
          <div className="flex gap-2 *:grow">
            <ShareLink url={url} text={`${title}, para pagar com Pix:`} />
            <a href={url} target="_blank" rel="noopener" className={buttonClass()}>
              <ExternalLink className="size-4" strokeWidth={1.75} aria-hidden="true" />
              Abrir
            </a>
          </div>
        </div>
      </div>
      <Facts className="mt-4" bordered={false} facts={factsOf(of)} />
      {of.payments > 0 && <LatestPayments cameBy={{ payment_link_id: of.id }} />}
    </Dialog>
  );
}

function factsOf(link: PaymentLink): Fact[] {
  return [
    { label: 'Pagamentos', value: paymentsWords(link.payments, link.max_payments) },
    { label: 'Recebido', value: money(link.received), strong: true },
    { label: 'Encerra em', value: link.ends_at === null ? 'Sem prazo' : formatDateAtTime(link.ends_at) },
    ...(link.success_url === null
      ? []
      : [
          {
            label: 'Página de retorno',
            value: <span className="break-all">{shownAddress(link.success_url)}</span>,
          },
        ]),
    { label: 'Criado em', value: formatDateTime(link.created_at) },
  ];
}

function TurnOffDialog({ of, onClose }: { of: PaymentLink; onClose: () => void }) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Desligar “${of.title}”?`}
      confirm="Desligar"
      onConfirm={async () => {
        await linkActions.turn(of, false).catch(async (error) => {
          await linkActions.readAgain();
          throw error;
        });
        toast('Link desligado');
      }}
      failure="Erro ao desligar o link. Tente novamente."
    >
      Quem abrir o link verá que ele foi desligado. Um código que já saiu ainda pode ser pago até vencer, em
      no máximo 30 minutos, e o dinheiro é seu. Você pode ligar o link de novo quando quiser.
    </ConfirmDialog>
  );
}
