import type { Customer } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryClient } from '../../api/query.ts';
import { paths } from '../../app/paths.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, LoadMore, rowsOf } from '../../panel/list-body.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { isLookingIn, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, EmptyState, SegmentedControl, toast } from '../../ui/index.ts';
import { CustomerDialog } from './customer-dialog.tsx';
import { CustomerForm } from './customer-form.tsx';
import { type CustomersFilter, customersFilterFrom, SEARCH_MAX_LENGTH } from './customers-filter.ts';
import { CustomersHeader } from './customers-header.tsx';
import { customerActions, customerQuery, customersQuery } from './customers-queries.ts';
import { CustomersTable } from './customers-table.tsx';

const failure = 'Erro ao buscar os clientes';

/** The form that is open: it changes this customer, or enters a new one when `customer` is null. */
type OpenForm = { customer: Customer | null };

/** The merchant's customers. The `id` in the URL opens the detail of one. */
export function CustomersPage() {
  const { id, ...filter } = useSearch(customersFilterFrom);
  const navigate = useNavigate();
  const query = useInfiniteQuery(customersQuery(filter));
  const customers = rowsOf(
    query,
    query.data?.pages.flatMap(({ data }) => data),
  );
  const [form, setForm] = useState<OpenForm | null>(null);
  const mayManage = useMay('manage-customers');
  const isLooking = useSession(isLookingIn);
  const seesDocuments = useMay('see-customer-documents') && !isLooking;
  const setFilter = (search: CustomersFilter, replace = false) =>
    navigate({ to: paths.customers, search, replace });
  const isFiltered = filter.search !== undefined || filter.status !== undefined;
  const isEmpty = customers?.length === 0 && !query.hasNextPage;
  const createButton = mayManage && (
    <Button
      variant="primary"
      icon={<Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => setForm({ customer: null })}
    >
      Cadastrar cliente
    </Button>
  );
  const showSaved = (customer: Customer) => {
    toast(form?.customer === null ? 'Cliente cadastrado' : 'Cliente salvo');
    setForm(null);
    void setFilter({ ...filter, id: customer.id });
  };
  return (
    <>
      <CustomersHeader
        sentence="A quem você cobra, o que cada um deve e o que já pagou."
        // While there is no customer at all, the empty state shows the button instead.
        actions={(query.data !== undefined && (!isEmpty || isFiltered) && createButton) || undefined}
      />
      {(!isEmpty || isFiltered) && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <SegmentedControl
            label="Estado"
            segments={[
              { value: 'active', label: 'Ativos' },
              { value: 'archived', label: 'Arquivados' },
            ]}
            value={filter.status ?? 'active'}
            onChange={(status) => {
              const { status: _, ...others } = filter;
              return setFilter(status === 'archived' ? { ...others, status } : others);
            }}
          />
          <SearchField
            label={seesDocuments ? 'Buscar por nome, documento ou e-mail' : 'Buscar por nome'}
            placeholder={seesDocuments ? 'Nome, documento ou e-mail' : 'Nome'}
            width="max-md:w-full md:w-72"
            maxLength={SEARCH_MAX_LENGTH}
            search={filter.search ?? ''}
            onSearch={(search) => {
              const { search: _, ...others } = filter;
              void setFilter(search === '' ? others : { ...others, search }, true);
            }}
          />
        </div>
      )}
      <ListBody query={query} title={failure}>
        {isEmpty ? (
          <NoCustomers isFiltered={isFiltered} filter={filter} action={createButton} />
        ) : (
          <CustomersTable
            customers={customers}
            onOpen={(customer) => setFilter({ ...filter, id: customer.id })}
          />
        )}
      </ListBody>
      <LoadMore query={query} failure={failure} />
      {id !== undefined && form === null && (
        <CustomerDialog
          id={id}
          onEdit={(customer) => setForm({ customer })}
          onClose={() => setFilter(filter)}
        />
      )}
      {form !== null && (
        <CustomerForm
          // A new version of the customer, fetched by `reloadForm`, resets the form.
          key={form.customer?.version}
          customer={form.customer}
          onClose={() => setForm(null)}
          onSaved={showSaved}
          onReload={() => reloadForm(form, setForm)}
        />
      )}
    </>
  );
}

function NoCustomers({
  isFiltered,
  filter,
  action,
}: {
  isFiltered: boolean;
  filter: CustomersFilter;
  action: React.ReactNode;
}) {
  if (!isFiltered)
    return (
      <EmptyState drawing="nothing-yet" title="Nenhum cliente ainda" action={action}>
        Cadastre a quem você cobra. Cada cliente tem uma página com tudo o que está em aberto.
      </EmptyState>
    );
  return (
    <EmptyState
      drawing="no-result"
      title={filter.search === undefined ? 'Nenhum arquivado' : 'Nenhum cliente encontrado'}
    >
      {filter.search === undefined
        ? 'O cliente que você arquivar aparece aqui.'
        : 'Confira o que foi digitado, ou procure também entre os arquivados.'}
    </EmptyState>
  );
}

/** Fetches the customer again, which resets the form to its current state. */
async function reloadForm({ customer }: OpenForm, setForm: (form: OpenForm) => void) {
  await customerActions.refetch();
  if (customer !== null) setForm({ customer: await queryClient.fetchQuery(customerQuery(customer.id)) });
}
