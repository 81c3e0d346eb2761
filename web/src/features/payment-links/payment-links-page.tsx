import type { PaymentLink } from '@jangada/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { paths } from '../../app/paths.ts';
import { rowsOf } from '../../panel/list-body.tsx';
import { useSession } from '../../session/session.ts';
import { Button, EmptyState, Notice, toast } from '../../ui/index.ts';
import { LinkForm } from './link-form.tsx';
import { LinksTable } from './links-table.tsx';
import { type OffersFilter, offersFilterFrom } from './offers-filter.ts';
import { OffersHeader, OffersList } from './offers-list.tsx';
import { linkActions, linkQuery, linksQuery } from './offers-queries.ts';
import { OpenLink } from './open-link.tsx';

type Form = { of: PaymentLink | null };

/** Pages that create a charge for each payer; the address may name an open one. */
export function PaymentLinksPage() {
  const filter = offersFilterFrom(useSearch({ strict: false }));
  const { id, ...listed } = filter;
  const navigate = useNavigate();
  const approved = useSession(({ user }) => user?.approved ?? false);
  const query = useInfiniteQuery(linksQuery(listed));
  const links = rowsOf(
    query,
    query.data?.pages.flatMap(({ data }) => data),
  );
  const [form, setForm] = useState<Form | null>(null);
  const [created, setCreated] = useState<string>();
  const show = (next: OffersFilter) => navigate({ to: paths.paymentLinks, search: next });
  const create = approved && (
    <Button
      variant="primary"
      icon={<Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => setForm({ of: null })}
    >
      Criar link
    </Button>
  );
  const saved = (link: PaymentLink) => {
    if (form?.of === null) setCreated(link.id);
    else toast('Link salvo');
    setForm(null);
    void show({ ...listed, id: link.id });
  };
  return (
    <>
      <OffersHeader
        sentence="Uma página para enviar a quem vai pagar. Cada pagamento vira uma cobrança."
        actions={query.data !== undefined && (links?.length !== 0 || listed.status !== undefined) && create}
      />
      <ApiInactive />
      <OffersList
        query={query}
        count={links?.length}
        filter={listed}
        onFilter={show}
        approved={approved}
        failure="Erro ao buscar os links"
        empty={
          <EmptyState drawing="nothing-yet" title="Nenhum link ainda" action={create}>
            Crie um link, envie por mensagem ou coloque no seu site, e receba por Pix sem integrar nada.
          </EmptyState>
        }
      >
        <LinksTable links={links} onOpen={(link) => show({ ...listed, id: link.id })} />
      </OffersList>
      <LinkDialogs
        id={id}
        form={form}
        links={links}
        created={created}
        onForm={setForm}
        onShow={show}
        listed={listed}
        onSaved={saved}
      />
    </>
  );
}

type LinkDialogsProps = {
  id: string | undefined;
  form: Form | null;
  links: readonly PaymentLink[] | undefined;
  created: string | undefined;
  onForm: (form: Form | null) => void;
  onShow: (next: OffersFilter) => void;
  listed: { status?: 'active' | 'ended' };
  onSaved: (link: PaymentLink) => void;
};

function LinkDialogs({ id, form, links, created, onForm, onShow, listed, onSaved }: LinkDialogsProps) {
  return (
    <>
      {id !== undefined && form === null && (
        <OpenLink
          id={id}
          listed={links?.find((link) => link.id === id)}
          isNew={created === id}
          onEdit={(link) => onForm({ of: link })}
          onClose={() => onShow(listed)}
        />
      )}
      {form !== null && (
        <LinkForm
          key={form.of?.version}
          of={form.of}
          onClose={() => onForm(null)}
          onSaved={onSaved}
          onReload={() => reloaded(form, onForm)}
        />
      )}
    </>
  );
}

/** Resets the form to the link's current state. */
async function reloaded({ of }: Form, setForm: (form: Form) => void) {
  await linkActions.readAgain();
  if (of !== null) setForm({ of: await queryClient.fetchQuery(linkQuery(of.id)) });
}

/** Warns the merchant that their links accept no payment while the API is off. */
function ApiInactive() {
  const { data } = useQuery(profileQuery);
  if (data === undefined || !data.approved || data.apiActive) return null;
  return (
    <Notice tone="warning" title="Sua API está inativa." className="mb-5">
      Quem abre um link vê que você não pode receber agora. Fale com o suporte para ativá-la.
    </Notice>
  );
}
