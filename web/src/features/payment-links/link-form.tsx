import {
  centsFromBrl,
  centsFromText,
  MIN_CHARGE_CENTS,
  PAYMENT_LINKS,
  type PaymentLink,
} from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { settingsQuery, taxesQuery } from '../../api/queries.ts';
import { formatMoney } from '../../format/money.ts';
import { MoneyField, SegmentedControl, TextArea, TextField } from '../../ui/index.ts';
import { GuardedForm, isStale, StaleNotice } from './guarded-form.tsx';
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
  of: PaymentLink | null;
  onClose: () => void;
  onSaved: (link: PaymentLink) => void;
  /** Refetches the link after somebody else changed it. */
  onReload: () => Promise<unknown>;
};

/** What a link charges, how often and until when. */
export function LinkForm({ of, onClose, onSaved, onReload }: LinkFormProps) {
  const [draft, setDraft] = useState<LinkDraft>(() => draftOf(of));
  const [problems, setProblems] = useState<LinkProblems>({});
  const [stale, setStale] = useState(false);
  const end = useRef<HTMLInputElement>(null);
  const rules = useChargeRules();
  const change = (fields: Partial<LinkDraft>) => {
    setDraft((before) => ({ ...before, ...fields }));
    // Editing a field clears its error until the next submit.
    setProblems((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !(field in fields))),
    );
  };
  const submit = async () => {
    setStale(false);
    // A date without a time counts as empty, which would mean that the link never ends.
    const isHalf = end.current?.validity.badInput === true;
    const found = {
      ...problemsOf(draft, of, rules, Date.now()),
      ...(isHalf && { endsAt: 'Informe o dia e a hora.' }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return false;
    const body = bodyOf(draft, of);
    try {
      onSaved(await (of === null ? linkActions.create(body) : linkActions.change(of, body)));
    } catch (error) {
      const refused = refusedFields(error);
      if (isStale(error)) setStale(true);
      else if (Object.keys(refused).length > 0) setProblems(refused);
      else throw error;
    }
    // The parent has closed the form.
    return false;
  };
  return (
    <GuardedForm
      title={of === null ? 'Criar link' : 'Editar link'}
      submit={of === null ? 'Criar link' : 'Salvar'}
      size="normal"
      problems={problems}
      edited={JSON.stringify(draft) !== JSON.stringify(draftOf(of))}
      failure={
        of === null ? 'Erro ao criar o link. Tente novamente.' : 'Erro ao salvar o link. Tente novamente.'
      }
      inDoubt={
        of === null ? 'Não sabemos se o link foi criado. Confira a lista antes de tentar de novo.' : undefined
      }
      onClose={onClose}
      onSubmit={submit}
    >
      {stale && (
        <StaleNotice onReload={onReload}>
          Este link foi alterado enquanto isso. Recarregue para ver como ele está e altere de novo.
        </StaleNotice>
      )}
      <WhatFor draft={draft} problems={problems} change={change} />
      <Amount draft={draft} problems={problems} change={change} />
      <Limits draft={draft} problems={problems} change={change} end={end} />
    </GuardedForm>
  );
}

/** The limits checked while an amount is typed; the server makes the final check. */
export function useChargeRules() {
  const maxCharge = useQuery(settingsQuery).data?.maxCharge;
  const fee = useQuery(taxesQuery).data?.in ?? null;
  return { maxCents: maxCharge === undefined ? null : (centsFromBrl(maxCharge) ?? null), fee };
}

type PartProps = {
  draft: LinkDraft;
  problems: LinkProblems;
  change: (fields: Partial<LinkDraft>) => void;
};

function WhatFor({ draft, problems, change }: PartProps) {
  return (
    <>
      <TextField
        label="Título"
        hint={`Quem paga vê primeiro: “Camiseta Jangada”, “Mensalidade de dezembro”. Até ${PAYMENT_LINKS.titleMaxLength} caracteres.`}
        data-autofocus
        autoComplete="off"
        maxLength={PAYMENT_LINKS.titleMaxLength}
        value={draft.title}
        error={problems.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextArea
        label="Descrição (opcional)"
        rows={2}
        maxLength={PAYMENT_LINKS.descriptionMaxLength}
        value={draft.description}
        error={problems.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
    </>
  );
}

function Amount({ draft, problems, change }: PartProps) {
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
        onChange={(pricing) => change({ pricing })}
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
          onCents={(amountCents) => change({ amountCents })}
        />
      )}
    </div>
  );
}

function Limits({ draft, problems, change, end }: PartProps & { end: Ref<HTMLInputElement> }) {
  return (
    <>
      <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
        <TextField
          label="Limite de pagamentos (opcional)"
          hint="Em branco, sem limite. Quem abre um código reserva uma vaga por 30 minutos."
          inputMode="numeric"
          autoComplete="off"
          maxLength={9}
          value={draft.maxPayments}
          error={problems.maxPayments}
          onChange={(event) => change({ maxPayments: event.currentTarget.value })}
        />
        <TextField
          label="Encerra em (opcional)"
          hint="Horário de Brasília."
          type="datetime-local"
          ref={end}
          value={draft.endsAt}
          error={problems.endsAt}
          onChange={(event) => change({ endsAt: event.currentTarget.value })}
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
        onChange={(event) => change({ successUrl: event.currentTarget.value })}
      />
    </>
  );
}
