import type { PaymentLink } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { CopyLink, ShareLink } from '../../panel/charge/link-buttons.tsx';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { buttonClass, type Fact, Facts } from '../../ui/index.ts';
import { LatestPayments } from './latest-payments.tsx';
import { OfferDialog } from './offer-dialog.tsx';
import { OfferNotThere } from './offer-not-there.tsx';
import { closedWords, LinkState, money, paymentsWords, shownAddress } from './offer-words.tsx';
import { linkActions, linkQuery } from './offers-queries.ts';

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

const words = {
  turnedOn: 'Link ligado',
  turnedOff: 'Link desligado',
  off: 'Quem abrir o link verá que ele foi desligado. Um código que já saiu ainda pode ser pago até vencer, em no máximo 30 minutos, e o dinheiro é seu. Você pode ligar o link de novo quando quiser.',
  failure: 'Erro ao desligar o link. Tente novamente.',
};

/** A link, ready to be sent or shown, and how it does. */
function LinkDetail({ of, isNew, onEdit, onClose }: LinkDetailProps) {
  const { title, description, url } = of;
  const closed = closedWords(of);
  return (
    <OfferDialog
      title={isNew ? 'Link criado' : 'Link de pagamento'}
      of={of}
      name={title}
      state={<LinkState of={of} />}
      turn={(on) => linkActions.turn(of, on)}
      readAgain={linkActions.readAgain}
      words={words}
      onEdit={onEdit}
      onClose={onClose}
    >
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
    </OfferDialog>
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
