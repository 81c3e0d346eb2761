import { formatDocument } from '@jangada/pix';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { SearchField } from '../../panel/search-field.tsx';
import { Button, Dialog, Facts, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import type { ChosenCustomer } from './subscription-draft.ts';
import { customersQuery } from './subscriptions-queries.ts';

const SEARCH_MAX_LENGTH = 100;

/** Who pays, as registered, and the way to choose another. */
export function ChosenPayer({ customer, onDrop }: { customer: ChosenCustomer; onDrop: () => void }) {
  return (
    <section aria-label="Quem paga">
      <Facts
        bordered={false}
        facts={[
          { label: 'Cliente', value: customer.name, strong: true },
          { label: 'CPF ou CNPJ', value: formatDocument(customer.document) },
        ]}
      />
      <Button size="small" className="mt-2" onClick={onDrop}>
        Não usar este cliente
      </Button>
    </section>
  );
}

type CustomerChoiceProps = { onChoose: (customer: ChosenCustomer) => void; onClose: () => void };

/** A dialog in which one finds a customer of the register and chooses them. */
export function CustomerChoice({ onChoose, onClose }: CustomerChoiceProps) {
  const [search, setSearch] = useState('');
  const query = useQuery(customersQuery(search));
  const customers = query.data?.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Escolher cliente"
      footer={<Button onClick={onClose}>Fechar</Button>}
    >
      <SearchField
        label="Buscar cliente"
        placeholder="Nome, documento ou e-mail"
        maxLength={SEARCH_MAX_LENGTH}
        width="w-full"
        search={search}
        onSearch={setSearch}
      />
      {customers === undefined && query.isError && (
        <Notice
          tone="error"
          className="mt-4"
          action={
            <Button size="small" isSending={query.isFetching} onClick={() => query.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(query.error, 'Erro ao buscar os clientes.')}
        </Notice>
      )}
      {customers === undefined && query.isPending && (
        <LoadingRegion>
          <Skeleton className="mt-4 h-40 w-full" />
        </LoadingRegion>
      )}
      {customers?.length === 0 && (
        <p className="mt-4 text-sm text-muted">
          {search === '' ? 'Não há clientes cadastrados.' : 'Nenhum cliente encontrado.'}
        </p>
      )}
      <ul className="mt-2 divide-y divide-base-300" aria-label="Clientes">
        {customers?.map((customer) => (
          <li key={customer.id}>
            <button
              type="button"
              className="block min-h-12 w-full cursor-pointer py-2 text-left hover:bg-base-200"
              onClick={() => onChoose(customer)}
            >
              <span className="block font-medium wrap-anywhere">{customer.name}</span>
              <span className="block text-xs text-muted">{customer.document}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
