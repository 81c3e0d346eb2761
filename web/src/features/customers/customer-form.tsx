import { CUSTOMER_LIMITS, type Customer } from '@jangada/contract';
import { useState } from 'react';
import {
  ConfirmDiscardForm,
  isStaleVersionError,
  StaleNotice,
} from '../../panel/confirm/confirm-discard-form.tsx';
import { TextArea, TextField } from '../../ui/index.ts';
import {
  bodyOf,
  type CustomerDraft,
  type CustomerProblems,
  draftOf,
  problemsOf,
  refusedFields,
} from './customer-draft.ts';
import { customerActions } from './customers-queries.ts';

type CustomerFormProps = {
  /** The customer being changed; null for a new one. */
  customer: Customer | null;
  onClose: () => void;
  onSaved: (customer: Customer) => void;
  /** Refetches the customer after somebody else changed it. */
  onReload: () => Promise<unknown>;
};

/** Enters or changes a customer. */
export function CustomerForm({ customer, onClose, onSaved, onReload }: CustomerFormProps) {
  const [draft, setDraft] = useState<CustomerDraft>(() => draftOf(customer));
  const [problems, setProblems] = useState<CustomerProblems>({});
  const [isStale, setIsStale] = useState(false);
  const changeDraft = (fields: Partial<CustomerDraft>) => {
    setDraft((previous) => ({ ...previous, ...fields }));
    // Editing a field clears its error until the next submit.
    setProblems((shown) => Object.fromEntries(Object.entries(shown).filter(([field]) => !(field in fields))));
  };
  const submit = async () => {
    setIsStale(false);
    const newProblems = problemsOf(draft);
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    const body = bodyOf(draft);
    try {
      onSaved(
        await (customer === null ? customerActions.create(body) : customerActions.change(customer, body)),
      );
    } catch (error) {
      const refused = refusedFields(error);
      if (isStaleVersionError(error)) setIsStale(true);
      else if (Object.keys(refused).length > 0) setProblems(refused);
      else throw error;
    }
    // After a success `onSaved` has already closed the form; after an error it stays open.
    return false;
  };
  return (
    <ConfirmDiscardForm
      title={customer === null ? 'Cadastrar cliente' : 'Editar cliente'}
      submit={customer === null ? 'Cadastrar' : 'Salvar'}
      size="normal"
      problems={problems}
      isEdited={JSON.stringify(draft) !== JSON.stringify(draftOf(customer))}
      failure="Erro ao salvar o cliente. Tente novamente."
      inDoubtMessage={
        customer === null
          ? 'Não sabemos se o cliente foi cadastrado. Confira a lista antes de tentar de novo.'
          : undefined
      }
      onClose={onClose}
      onSubmit={submit}
    >
      {isStale && (
        <StaleNotice onReload={onReload}>
          Este cliente foi alterado enquanto isso. Recarregue para ver como ele está e altere de novo.
        </StaleNotice>
      )}
      <Person draft={draft} problems={problems} onChange={changeDraft} />
      <Address draft={draft} problems={problems} onChange={changeDraft} />
      <Notes draft={draft} problems={problems} onChange={changeDraft} />
    </ConfirmDiscardForm>
  );
}

type PartProps = {
  draft: CustomerDraft;
  problems: CustomerProblems;
  onChange: (changedFields: Partial<CustomerDraft>) => void;
};

function Person({ draft, problems, onChange }: PartProps) {
  return (
    <>
      <TextField
        label="Nome"
        value={draft.name}
        error={problems.name}
        maxLength={CUSTOMER_LIMITS.nameMaxLength}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextField
        label="CPF ou CNPJ"
        value={draft.document}
        error={problems.document}
        maxLength={18}
        autoComplete="off"
        onChange={(event) => onChange({ document: event.currentTarget.value })}
      />
      <div className="grid gap-5 md:grid-cols-2">
        <TextField
          label="E-mail (opcional)"
          hint="Para os lembretes."
          type="email"
          value={draft.email}
          error={problems.email}
          maxLength={254}
          autoComplete="off"
          onChange={(event) => onChange({ email: event.currentTarget.value })}
        />
        <TextField
          label="Telefone (opcional)"
          type="tel"
          value={draft.phone}
          error={problems.phone}
          maxLength={30}
          autoComplete="off"
          onChange={(event) => onChange({ phone: event.currentTarget.value })}
        />
      </div>
    </>
  );
}

function Address({ draft, problems, onChange }: PartProps) {
  return (
    <>
      <TextField
        label="Endereço (opcional)"
        hint="Rua, número e complemento."
        value={draft.street}
        error={problems.street}
        maxLength={CUSTOMER_LIMITS.streetMaxLength}
        autoComplete="off"
        onChange={(event) => onChange({ street: event.currentTarget.value })}
      />
      <div className="grid gap-5 md:grid-cols-[minmax(0,1fr)_5rem_8rem]">
        <TextField
          label="Cidade"
          value={draft.city}
          error={problems.city}
          maxLength={CUSTOMER_LIMITS.cityMaxLength}
          autoComplete="off"
          onChange={(event) => onChange({ city: event.currentTarget.value })}
        />
        <TextField
          label="UF"
          value={draft.state}
          error={problems.state}
          maxLength={2}
          autoComplete="off"
          onChange={(event) => onChange({ state: event.currentTarget.value })}
        />
        <TextField
          label="CEP"
          value={draft.zipCode}
          error={problems.zipCode}
          maxLength={9}
          inputMode="numeric"
          autoComplete="off"
          onChange={(event) => onChange({ zipCode: event.currentTarget.value })}
        />
      </div>
    </>
  );
}

function Notes({ draft, problems, onChange }: PartProps) {
  return (
    <>
      <TextArea
        label="Observação (opcional)"
        hint="Só a sua equipe vê."
        rows={3}
        value={draft.note}
        error={problems.note}
        maxLength={CUSTOMER_LIMITS.noteMaxLength}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
      <TextField
        label="Código no seu sistema (opcional)"
        value={draft.externalId}
        error={problems.externalId}
        maxLength={CUSTOMER_LIMITS.externalIdMaxLength}
        autoComplete="off"
        onChange={(event) => onChange({ externalId: event.currentTarget.value })}
      />
    </>
  );
}
