import type { CounterCode } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../../api/query.ts';
import { paths } from '../../app/paths.ts';
import { rowsOf } from '../../panel/list-body.tsx';
import { useSession } from '../../session/session.ts';
import { Button, EmptyState, toast } from '../../ui/index.ts';
import { ChangeCodeForm, NewCodeForm } from './code-forms.tsx';
import { CodesTable } from './codes-table.tsx';
import { type OffersFilter, offersFilterFrom } from './offers-filter.ts';
import { OffersHeader, OffersList } from './offers-list.tsx';
import { codeActions, codeQuery, codesQuery } from './offers-queries.ts';
import { OpenCode } from './open-code.tsx';

type Form = { of: CounterCode | null };

/** Printed codes that can be paid many times; the address may name an open one. */
export function CounterCodesPage() {
  const filter = offersFilterFrom(useSearch({ strict: false }));
  const { id, ...listed } = filter;
  const navigate = useNavigate();
  const approved = useSession(({ user }) => user?.approved ?? false);
  const query = useInfiniteQuery(codesQuery(listed));
  const codes = rowsOf(
    query,
    query.data?.pages.flatMap(({ data }) => data),
  );
  const [form, setForm] = useState<Form | null>(null);
  const [created, setCreated] = useState<string>();
  const show = (next: OffersFilter) => navigate({ to: paths.counterCodes, search: next });
  const create = approved && (
    <Button
      variant="primary"
      icon={<Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => setForm({ of: null })}
    >
      Criar QR Code
    </Button>
  );
  const saved = (code: CounterCode) => {
    if (form?.of === null) setCreated(code.id);
    else toast('QR Code salvo');
    setForm(null);
    void show({ ...listed, id: code.id });
  };
  return (
    <>
      <OffersHeader
        sentence="Um código impresso que não vence. Cada Pix que chega por ele vira um pagamento."
        actions={query.data !== undefined && (codes?.length !== 0 || listed.status !== undefined) && create}
      />
      <OffersList
        query={query}
        count={codes?.length}
        filter={listed}
        onFilter={show}
        approved={approved}
        failure="Erro ao buscar os QR Codes"
        empty={
          <EmptyState drawing="nothing-yet" title="Nenhum QR Code ainda" action={create}>
            Crie um para cada caixa ou mesa, imprima e deixe à vista: quem paga aponta a câmera do banco.
          </EmptyState>
        }
      >
        <CodesTable codes={codes} onOpen={(code) => show({ ...listed, id: code.id })} />
      </OffersList>
      {id !== undefined && form === null && (
        <OpenCode
          id={id}
          listed={codes?.find((code) => code.id === id)}
          isNew={created === id}
          onEdit={(code) => setForm({ of: code })}
          onClose={() => show(listed)}
        />
      )}
      <CodeForms onForm={setForm} form={form} onSaved={saved} />
    </>
  );
}

type CodeFormsProps = {
  onForm: (form: Form | null) => void;
  form: Form | null;
  onSaved: (code: CounterCode) => void;
};

function CodeForms({ onForm, form, onSaved }: CodeFormsProps) {
  const reload = async ({ id: changed }: CounterCode) => {
    await codeActions.readAgain();
    onForm({ of: await queryClient.fetchQuery(codeQuery(changed)) });
  };
  return (
    <>
      {form?.of === null && <NewCodeForm onClose={() => onForm(null)} onSaved={onSaved} />}
      {form !== null && form.of !== null && (
        <ChangeCodeForm
          key={form.of.version}
          of={form.of}
          onClose={() => onForm(null)}
          onSaved={onSaved}
          onReload={reload}
        />
      )}
    </>
  );
}
