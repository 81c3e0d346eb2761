import type { PaymentLink } from '@jangada/contract';
import { formatDate } from '../../format/date.ts';
import { type Column, CopyButton, Table, useMediaQuery } from '../../ui/index.ts';
import { amountText, brlText, LinkStateBadge, paymentsOfMaximum, urlWithoutScheme } from './offer-words.tsx';

const columns: readonly Column<PaymentLink>[] = [
  {
    key: 'title',
    head: 'Link',
    cell: (link) => <TitleCell link={link} />,
    width: 'w-[34%]',
    skeleton: 'w-52',
  },
  { key: 'amount', head: 'Valor', cell: ({ amount }) => amountText(amount), align: 'end' },
  {
    key: 'state',
    head: 'Estado',
    cell: (link) => <StateCell link={link} />,
    width: 'w-[15%]',
    skeleton: 'h-5.5 w-20',
  },
  {
    key: 'payments',
    head: 'Pagamentos',
    cell: ({ payments, max_payments }) => paymentsOfMaximum(payments, max_payments),
    align: 'end',
    skeleton: 'w-12',
  },
  {
    key: 'received',
    head: 'Recebido',
    cell: ({ received }) => brlText(received),
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'created',
    head: 'Criado em',
    cell: ({ created_at }) => formatDate(created_at),
    align: 'end',
    tone: 'muted',
  },
];

/**
 * The columns for windows narrower than 80rem, where the sidebar leaves little width: the number of payments is below
 * the received amount, and the date is only in the link's detail.
 */
const narrowColumns: readonly Column<PaymentLink>[] = columns
  .filter(({ key }) => key !== 'payments' && key !== 'created')
  .map((column) =>
    column.key === 'received' ? { ...column, cell: (link) => <ReceivedCell link={link} /> } : column,
  );

function ReceivedCell({ link }: { link: PaymentLink }) {
  return (
    <span className="block py-2">
      {brlText(link.received)}
      <span className="block text-xs font-normal text-muted">{paymentsText(link)}</span>
    </span>
  );
}

/** The link's title above its URL, with a copy button that appears on hover and on keyboard focus. */
function TitleCell({ link: { title, url } }: { link: PaymentLink }) {
  return (
    <span className="block min-w-40 py-2.5 whitespace-normal">
      <span className="block font-medium wrap-anywhere">{title}</span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps a press of the button from opening the row */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button handles the keyboard itself */}
      <span
        className="-mb-2 flex items-center gap-1 text-xs text-muted max-xl:hidden"
        onClick={(event) => event.stopPropagation()}
      >
        <span className="break-all">{urlWithoutScheme(url)}</span>
        <span className="opacity-0 group-hover:opacity-100 focus-within:opacity-100">
          <CopyButton iconOnly text={url} label={`Copiar link ${title}`} />
        </span>
      </span>
    </span>
  );
}

function StateCell({ link }: { link: PaymentLink }) {
  return (
    <span className="block py-2">
      <LinkStateBadge link={link} />
      {link.state === 'active' && link.ends_at !== null && (
        <span className="mt-0.5 block text-xs whitespace-normal text-muted">
          até {formatDate(link.ends_at)}
        </span>
      )}
    </span>
  );
}

type LinksTableProps = {
  /** Undefined while loading. */
  links: readonly PaymentLink[] | undefined;
  onOpen: (link: PaymentLink) => void;
};

/** The merchant's payment links. */
export function LinksTable({ links, onOpen }: LinksTableProps) {
  const isWide = useMediaQuery('(min-width: 80rem)');
  return (
    <Table
      label="Links de pagamento"
      columns={isWide ? columns : narrowColumns}
      rows={links}
      rowKey={({ id }) => id}
      skeletonRows={5}
      onOpen={onOpen}
      openLabel="Detalhes"
      narrowRowContent={(link) => ({
        start: <span className="font-medium wrap-anywhere">{link.title}</span>,
        startDetail: (
          <span className="grid justify-items-start gap-1">
            <LinkStateBadge link={link} />
            <span>{paymentsText(link)}</span>
          </span>
        ),
        end: amountText(link.amount),
        endDetail: link.payments === 0 ? undefined : `recebido ${brlText(link.received)}`,
      })}
    />
  );
}

function paymentsText({ payments, max_payments }: PaymentLink): string {
  if (payments === 0 && max_payments === null) return 'nenhum pagamento';
  if (payments === 1 && max_payments === null) return '1 pagamento';
  return `${paymentsOfMaximum(payments, max_payments)} pagamentos`;
}
