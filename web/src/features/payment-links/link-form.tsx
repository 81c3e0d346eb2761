import {
  centsFromBrl,
  centsFromText,
  MIN_CHARGE_CENTS,
  PAYMENT_LINK_LIMITS,
  type PaymentLink,
} from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { settingsQuery, taxesQuery } from '../../api/queries.ts';
import { formatMoney } from '../../format/money.ts';
import {
  ConfirmDiscardForm,
  isStaleVersionError,
  StaleNotice,
} from '../../panel/confirm/confirm-discard-form.tsx';
import { MoneyField, SegmentedControl, TextArea, TextField } from '../../ui/index.ts';
import {
  bodyOf,
  draftOf,
  type LinkDraft,
  type LinkProblems,
  problemsOf,
  refusedFields,
} from './link-draft.ts';
import { linkActions } from './offers-queries.ts';

type LinkFormProps = {
  /** The link being changed; null for a new one. */
  link: PaymentLink | null;
  onClose: () => void;
  onSaved: (link: PaymentLink) => void;
  /** Refetches the link after somebody else changed it. */
  onReload: () => Promise<unknown>;
};

/** Creates or changes a payment link, a page that creates a charge for each payer: its title, amount and limits. */
export function LinkForm({ link, onClose, onSaved, onReload }: LinkFormProps) {
  const [draft, setDraft] = useState<LinkDraft>(() => draftOf(link));
  const [problems, setProblems] = useState<LinkProblems>({});
  const [isStale, setIsStale] = useState(false);
  const endField = useRef<HTMLInputElement>(null);
  const rules = useChargeRules();
  const changeDraft = (fields: Partial<LinkDraft>) => {
    setDraft((previous) => ({ ...previous, ...fields }));
    // Editing a field clears its error until the next submit.
    setProblems((shown) => Object.fromEntries(Object.entries(shown).filter(([field]) => !(field in fields))));
  };
  const submit = async () => {
    setIsStale(false);
    // If the user typed a date without a time, the input's value is empty, which would mean that the link never ends.
    const isEndIncomplete = endField.current?.validity.badInput === true;
    const newProblems = {
      ...problemsOf(draft, link, rules, Date.now()),
      ...(isEndIncomplete && { endsAt: 'Informe o dia e a hora.' }),
    };
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return false;
    const body = bodyOf(draft, link);
    try {
      onSaved(await (link === null ? linkActions.create(body) : linkActions.change(link, body)));
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
      title={link === null ? 'Criar link' : 'Editar link'}
      submit={link === null ? 'Criar link' : 'Salvar'}
      size="normal"
      problems={problems}
      isEdited={JSON.stringify(draft) !== JSON.stringify(draftOf(link))}
      failure={
        link === null ? 'Erro ao criar o link. Tente novamente.' : 'Erro ao salvar o link. Tente novamente.'
      }
      inDoubtMessage={
        link === null
          ? 'Não sabemos se o link foi criado. Confira a lista antes de tentar de novo.'
          : undefined
      }
      onClose={onClose}
      onSubmit={submit}
    >
      {isStale && (
        <StaleNotice onReload={onReload}>
          Este link foi alterado enquanto isso. Recarregue para ver como ele está e altere de novo.
        </StaleNotice>
      )}
      <TitleAndDescription draft={draft} problems={problems} onChange={changeDraft} />
      <Amount draft={draft} problems={problems} onChange={changeDraft} />
      <Limits draft={draft} problems={problems} onChange={changeDraft} endField={endField} />
    </ConfirmDiscardForm>
  );
}

/**
 * The largest charge and the fee, against which an amount is checked before it is sent; the server makes the final
 * check.
 */
export function useChargeRules() {
  const maxCharge = useQuery(settingsQuery).data?.maxCharge;
  const fee = useQuery(taxesQuery).data?.in ?? null;
  return { maxCents: maxCharge === undefined ? null : (centsFromBrl(maxCharge) ?? null), fee };
}

type PartProps = {
  draft: LinkDraft;
  problems: LinkProblems;
  onChange: (changedFields: Partial<LinkDraft>) => void;
};

function TitleAndDescription({ draft, problems, onChange }: PartProps) {
  return (
    <>
      <TextField
        label="Título"
        hint={`Quem paga vê primeiro: “Camiseta Jangada”, “Mensalidade de dezembro”. Até ${PAYMENT_LINK_LIMITS.titleMaxLength} caracteres.`}
        data-autofocus
        autoComplete="off"
        maxLength={PAYMENT_LINK_LIMITS.titleMaxLength}
        value={draft.title}
        error={problems.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <TextArea
        label="Descrição (opcional)"
        rows={2}
        maxLength={PAYMENT_LINK_LIMITS.descriptionMaxLength}
        value={draft.description}
        error={problems.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </>
  );
}

function Amount({ draft, problems, onChange }: PartProps) {
  return (
    <div className="grid gap-3">
      <SegmentedControl
        label="Valor"
        labelShown
        size="normal"
        block
        segments={[
          { value: 'fixed', label: 'Valor fixo' },
          { value: 'open', label: 'Valor livre' },
        ]}
        value={draft.pricing}
        onChange={(pricing) => onChange({ pricing })}
        {...(draft.pricing === 'open' && { hint: 'Quem abre o link digita quanto vai pagar.' })}
      />
      {draft.pricing === 'fixed' && (
        <MoneyField
          label="Valor de cada pagamento"
          labelHidden
          size="normal"
          hint={`Mínimo ${formatMoney(MIN_CHARGE_CENTS)}.`}
          cents={draft.amountCents}
          readAmount={centsFromText}
          error={problems.amountCents}
          onCents={(amountCents) => onChange({ amountCents })}
        />
      )}
    </div>
  );
}

function Limits({ draft, problems, onChange, endField }: PartProps & { endField: Ref<HTMLInputElement> }) {
  return (
    <>
      <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
        <TextField
          label="Limite de pagamentos (opcional)"
          hint="Em branco, sem limite. Quem abre um código reserva uma vaga por 30 minutos."
          inputMode="numeric"
          autoComplete="off"
          maxLength={'1.000.000'.length}
          value={draft.maxPayments}
          error={problems.maxPayments}
          onChange={(event) => onChange({ maxPayments: event.currentTarget.value })}
        />
        <TextField
          label="Encerra em (opcional)"
          hint="Horário de Brasília."
          type="datetime-local"
          ref={endField}
          value={draft.endsAt}
          error={problems.endsAt}
          onChange={(event) => onChange({ endsAt: event.currentTarget.value })}
        />
      </div>
      <TextField
        label="Página de retorno (opcional)"
        hint="Depois de pagar, a pessoa volta para este endereço da sua loja."
        type="url"
        inputMode="url"
        placeholder="https://sualoja.com.br/obrigado"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={2000}
        value={draft.successUrl}
        error={problems.successUrl}
        onChange={(event) => onChange({ successUrl: event.currentTarget.value })}
      />
    </>
  );
}
