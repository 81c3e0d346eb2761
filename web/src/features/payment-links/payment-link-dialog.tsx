import type { PaymentLink } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { CopyLink, ShareLink } from '../../panel/charge/link-buttons.tsx';
import { QrCode } from '../../panel/charge/qr-code.tsx';
import { buttonClass, type Fact, Facts } from '../../ui/index.ts';
import { LatestPayments } from './latest-payments.tsx';
import { OfferDialog } from './offer-dialog.tsx';
import { OfferUnavailableDialog } from './offer-unavailable-dialog.tsx';
import {
  brlText,
  LinkStateBadge,
  paymentsOfMaximum,
  urlWithoutScheme,
  whyClosedText,
} from './offer-words.tsx';
import { linkActions, linkQuery } from './offers-queries.ts';

type PaymentLinkDialogProps = {
  id: string;
  /** The link from the loaded list; undefined when the list does not have it. */
  listedLink: PaymentLink | undefined;
  /** True when the link was created just now. */
  isNew: boolean;
  onEdit: (link: PaymentLink) => void;
  onClose: () => void;
};

/**
 * The detail of the payment link whose id is in the URL. The link is taken from the loaded list, or fetched if the list
 * does not have it.
 */
export function PaymentLinkDialog({ id, listedLink, isNew, onEdit, onClose }: PaymentLinkDialogProps) {
  const fetched = useQuery({ ...linkQuery(id), enabled: listedLink === undefined });
  const link = listedLink ?? fetched.data;
  if (link === undefined)
    return (
      <OfferUnavailableDialog
        title="Link de pagamento"
        query={fetched}
        notFoundText="Este link não foi encontrado na sua conta."
        onClose={onClose}
      />
    );
  return <LinkDetail link={link} isNew={isNew} onEdit={() => onEdit(link)} onClose={onClose} />;
}

type LinkDetailProps = { link: PaymentLink; isNew: boolean; onEdit: () => void; onClose: () => void };

const texts = {
  turnedOn: 'Link ligado',
  turnedOff: 'Link desligado',
  offConsequence:
    'Quem abrir o link verá que ele foi desligado. Um código que já saiu ainda pode ser pago até vencer, em no máximo 30 minutos, e o dinheiro é seu. Você pode ligar o link de novo quando quiser.',
  failure: 'Erro ao desligar o link. Tente novamente.',
};

/** A payment link, ready to be sent or shown to a payer, with its latest payments. */
function LinkDetail({ link, isNew, onEdit, onClose }: LinkDetailProps) {
  const { title, description, url } = link;
  const whyClosed = whyClosedText(link);
  return (
    <OfferDialog
      title={isNew ? 'Link criado' : 'Link de pagamento'}
      offer={link}
      name={title}
      stateBadge={<LinkStateBadge link={link} />}
      setActive={(isActive) => linkActions.setActive(link, isActive)}
      refetch={linkActions.refetch}
      texts={texts}
      onEdit={onEdit}
      onClose={onClose}
    >
      {description !== null && (
        <p className="mt-0.5 whitespace-pre-line text-muted wrap-anywhere">{description}</p>
      )}
      {whyClosed !== undefined && <p className="mt-2 text-muted">{whyClosed}</p>}
      <div className="mt-4 grid gap-4 rounded-box bg-base-200 p-4 md:grid-cols-[10rem_minmax(0,1fr)] md:items-center">
        <QrCode
          content={url}
          alt="QR Code que abre o link"
          className="mx-auto w-full max-w-60 max-md:order-last md:p-3!"
        />
        <div className="grid gap-2">
          <p className="mb-1 text-xs break-all text-muted select-all">{urlWithoutScheme(url)}</p>
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
      <Facts className="mt-4" bordered={false} facts={factsOf(link)} />
      {link.payments > 0 && <LatestPayments origin={{ payment_link_id: link.id }} />}
    </OfferDialog>
  );
}

function factsOf(link: PaymentLink): Fact[] {
  return [
    { label: 'Pagamentos', value: paymentsOfMaximum(link.payments, link.max_payments) },
    { label: 'Recebido', value: brlText(link.received), strong: true },
    { label: 'Encerra em', value: link.ends_at === null ? 'Sem prazo' : formatDateAtTime(link.ends_at) },
    ...(link.success_url === null
      ? []
      : [
          {
            label: 'Página de retorno',
            value: <span className="break-all">{urlWithoutScheme(link.success_url)}</span>,
          },
        ]),
    { label: 'Criado em', value: formatDateTime(link.created_at) },
  ];
}
