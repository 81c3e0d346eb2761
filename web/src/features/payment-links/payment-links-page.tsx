import type { PaymentLink } from '@jangada/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { paths } from '../../app/paths.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { rowsOf } from '../../panel/list-body.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, EmptyState, Notice, toast } from '../../ui/index.ts';
import { LinkForm } from './link-form.tsx';
import { LinksTable } from './links-table.tsx';
import { type OffersFilter, offersFilterFrom } from './offers-filter.ts';
import { OffersHeader, OffersList } from './offers-list.tsx';
import { linkActions, linkQuery, linksQuery } from './offers-queries.ts';
import { PaymentLinkDialog } from './payment-link-dialog.tsx';

/** The form that is open: it changes this link, or creates a new one when `link` is null. */
type OpenForm = { link: PaymentLink | null };

/**
 * The merchant's payment links: pages that create a new charge for each payer. The `id` in the URL opens the
 * detail of a link.
 */
export function PaymentLinksPage() {
  const filter = useSearch(offersFilterFrom);
  const { id, ...listFilter } = filter;
  const navigate = useNavigate();
  const isApproved = useSession(isAccountApproved);
  const query = useInfiniteQuery(linksQuery(listFilter));
  const links = rowsOf(
    query,
    query.data?.pages.flatMap(({ data }) => data),
  );
  const [form, setForm] = useState<OpenForm | null>(null);
  const [createdId, setCreatedId] = useState<string>();
  /** Writes the filter into the URL, from which this page reads it. */
  const setFilter = (next: OffersFilter) => navigate({ to: paths.paymentLinks, search: next });
  // While the account has no link at all, the empty state below shows the button instead.
  const isButtonInHeader =
    query.data !== undefined && (links?.length !== 0 || listFilter.status !== undefined);
  const mayManage = useMay('manage-charges');
  const createButton = isApproved && mayManage && (
    <Button
      variant="primary"
      icon={<Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => setForm({ link: null })}
    >
      Criar link
    </Button>
  );
  const showSaved = (link: PaymentLink) => {
    if (form?.link === null) setCreatedId(link.id);
    else toast('Link salvo');
    setForm(null);
    void setFilter({ ...listFilter, id: link.id });
  };
  return (
    <>
      <OffersHeader
        sentence="Uma página para enviar a quem vai pagar. Cada pagamento vira uma cobrança."
        actions={isButtonInHeader && createButton}
      />
      <ApiInactiveNotice />
      <OffersList
        query={query}
        rowCount={links?.length}
        filter={listFilter}
        onFilter={setFilter}
        isApproved={isApproved}
        failure="Erro ao buscar os links"
        empty={
          <EmptyState drawing="nothing-yet" title="Nenhum link ainda" action={createButton}>
            Crie um link, envie por mensagem ou coloque no seu site, e receba por Pix sem integrar nada.
          </EmptyState>
        }
      >
        <LinksTable links={links} onOpen={(link) => setFilter({ ...listFilter, id: link.id })} />
      </OffersList>
      <LinkDialogs
        id={id}
        form={form}
        links={links}
        createdId={createdId}
        onForm={setForm}
        onFilter={setFilter}
        listFilter={listFilter}
        onSaved={showSaved}
      />
    </>
  );
}

type LinkDialogsProps = {
  id: string | undefined;
  form: OpenForm | null;
  links: readonly PaymentLink[] | undefined;
  createdId: string | undefined;
  onForm: (form: OpenForm | null) => void;
  onFilter: (next: OffersFilter) => void;
  listFilter: { status?: 'active' | 'ended' };
  onSaved: (link: PaymentLink) => void;
};

/** The dialog that is open, if any: the detail of a link, or the form that creates or changes one. */
function LinkDialogs({
  id,
  form,
  links,
  createdId,
  onForm,
  onFilter,
  listFilter,
  onSaved,
}: LinkDialogsProps) {
  return (
    <>
      {id !== undefined && form === null && (
        <PaymentLinkDialog
          id={id}
          listedLink={links?.find((link) => link.id === id)}
          isNew={createdId === id}
          onEdit={(link) => onForm({ link })}
          onClose={() => onFilter(listFilter)}
        />
      )}
      {form !== null && (
        <LinkForm
          // A new version of the link, fetched by `reloadForm`, resets the form.
          key={form.link?.version}
          link={form.link}
          onClose={() => onForm(null)}
          onSaved={onSaved}
          onReload={() => reloadForm(form, onForm)}
        />
      )}
    </>
  );
}

/** Fetches the link again, which resets the form to the link's current state. */
async function reloadForm({ link }: OpenForm, setForm: (form: OpenForm) => void) {
  await linkActions.refetch();
  if (link !== null) setForm({ link: await queryClient.fetchQuery(linkQuery(link.id)) });
}

/** Warns the merchant that payment links accept no payment while the account's API is inactive. */
function ApiInactiveNotice() {
  const { data } = useQuery(profileQuery);
  const isApproved = useSession(isAccountApproved);
  if (data === undefined || !isApproved || data.apiActive) return null;
  return (
    <Notice tone="warning" title="Sua API está inativa." className="mb-5">
      Quem abre um link vê que você não pode receber agora. Fale com o suporte para ativá-la.
    </Notice>
  );
}
