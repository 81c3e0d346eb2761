import {
  centsFromBrl,
  centsFromText,
  SUBSCRIPTION_LIMITS,
  type SubscriptionPeriod,
  subscriptionPeriods,
} from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { isInDoubt } from '../../api/intents.ts';
import { settingsQuery, taxesQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { dayOf } from '../../format/date.ts';
import { shortMonthText } from '../../format/subscription-words.ts';
import { useNavigate } from '../../navigation/index.ts';
import { useMay } from '../../session/account.ts';
import { Button, MoneyField, SegmentedControl, SelectField, TextField, toast } from '../../ui/index.ts';
import { AuthorizationFields } from './authorization-fields.tsx';
import { ConfirmSubscription } from './confirm-subscription.tsx';
import { ChosenPayer, CustomerChoice } from './customer-choice.tsx';
import { RetryFields } from './retry-fields.tsx';
import {
  bodyOf,
  type ChosenCustomer,
  emptyDraft,
  problemsOf,
  refusedFields,
  type SubscriptionDraft,
  type SubscriptionProblems,
} from './subscription-draft.ts';
import { subscriptionActions } from './subscriptions-queries.ts';

/** The parts of the form get the draft, its errors, and a function that changes fields. */
export type DraftProps = {
  draft: SubscriptionDraft;
  problems: SubscriptionProblems;
  onChange: (changedFields: Partial<SubscriptionDraft>) => void;
};

/** Asks for everything about a subscription, then shows it in words to be confirmed, and creates it. */
export function SubscriptionForm({ customer }: { customer: ChosenCustomer | null }) {
  const form = useSubscriptionForm(customer);
  const [isChoosing, setIsChoosing] = useState(false);
  const { draft, problems, change: onChange } = form;
  return (
    <>
      <form noValidate onSubmit={form.review} className="grid max-w-136 grid-cols-1 gap-8">
        <PayerFields
          draft={draft}
          problems={problems}
          onChange={onChange}
          onChoose={() => setIsChoosing(true)}
        />
        <AmountFields draft={draft} problems={problems} onChange={onChange} />
        <DayFields draft={draft} problems={problems} onChange={onChange} />
        <RetryFields draft={draft} problems={problems} onChange={onChange} />
        <AuthorizationFields draft={draft} problems={problems} onChange={onChange} />
        <Button type="submit" variant="primary" size="large" block>
          Conferir assinatura
        </Button>
      </form>
      {isChoosing && (
        <CustomerChoice
          onClose={() => setIsChoosing(false)}
          onChoose={({ id, name, document }) => {
            onChange({ customer: { id, name, document }, name: '', document: '' });
            setIsChoosing(false);
          }}
        />
      )}
      {form.isReviewing && (
        <ConfirmSubscription
          draft={draft}
          failure={form.failure}
          isSending={form.isSending}
          onConfirm={form.send}
          onClose={form.endReview}
        />
      )}
    </>
  );
}

const FAILURE = 'Erro ao criar a assinatura. Tente novamente.';

function useSubscriptionForm(customer: ChosenCustomer | null) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<SubscriptionDraft>({ ...emptyDraft, customer });
  const [problems, setProblems] = useState<SubscriptionProblems>({});
  const [isReviewing, setIsReviewing] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const maxCharge = useQuery(settingsQuery).data?.maxCharge;
  const fee = useQuery(taxesQuery).data?.in ?? null;

  const review = (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const maxCents = maxCharge === undefined ? null : (centsFromBrl(maxCharge) ?? null);
    const found = problemsOf(draft, { maxCents, fee }, dayOf(new Date()));
    setProblems(found);
    setIsReviewing(Object.keys(found).length === 0);
  };
  const send = async () => {
    setFailure(undefined);
    setIsSending(true);
    try {
      const { id } = await subscriptionActions.create(bodyOf(draft));
      toast('Assinatura criada');
      await navigate({ to: paths.subscriptions, search: { id }, replace: true });
    } catch (error) {
      const refused = refusedFields(error, draft);
      setProblems(refused);
      if (Object.keys(refused).length > 0) setIsReviewing(false);
      else
        setFailure(
          isInDoubt(error)
            ? 'Não sabemos se a assinatura foi criada. Confira em Assinaturas antes de tentar de novo.'
            : errorText(error, FAILURE),
        );
    } finally {
      setIsSending(false);
    }
  };
  const change = (fields: Partial<SubscriptionDraft>) => {
    setDraft((previous) => ({ ...previous, ...fields }));
    // Editing a field clears its error until the next submit.
    setProblems((shown) => Object.fromEntries(Object.entries(shown).filter(([field]) => !(field in fields))));
  };
  return {
    draft,
    problems,
    change,
    review,
    isReviewing,
    endReview: () => setIsReviewing(false),
    isSending,
    failure,
    send,
  };
}

function PayerFields({ draft, problems, onChange, onChoose }: DraftProps & { onChoose: () => void }) {
  return (
    <div className="grid grid-cols-1 gap-5">
      {draft.customer === null ? (
        <TypedPayerFields draft={draft} problems={problems} onChange={onChange} onChoose={onChoose} />
      ) : (
        <ChosenPayer customer={draft.customer} onDrop={() => onChange({ customer: null })} />
      )}
      <TextField
        label="O que é"
        hint={`Aparece no banco de quem paga: “Mensalidade da academia”. Até ${SUBSCRIPTION_LIMITS.descriptionMaxLength} caracteres.`}
        autoComplete="off"
        maxLength={SUBSCRIPTION_LIMITS.descriptionMaxLength}
        value={draft.description}
        error={problems.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </div>
  );
}

function TypedPayerFields({ draft, problems, onChange, onChoose }: DraftProps & { onChoose: () => void }) {
  const maySeeCustomers = useMay('see-customers');
  return (
    <>
      <TextField
        label="Nome de quem paga"
        autoComplete="off"
        autoFocus
        maxLength={200}
        value={draft.name}
        error={problems.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextField
        label="CPF ou CNPJ"
        hint="O débito só funciona numa conta com este documento."
        autoComplete="off"
        maxLength={'00.000.000/0000-00'.length}
        value={draft.document}
        error={problems.document}
        onChange={(event) => onChange({ document: event.currentTarget.value })}
      />
      {maySeeCustomers && (
        <div>
          <Button size="small" onClick={onChoose}>
            Escolher um cliente cadastrado
          </Button>
        </div>
      )}
    </>
  );
}

function AmountFields({ draft, problems, onChange }: DraftProps) {
  const isFixed = draft.pricing === 'fixed';
  return (
    <div className="grid grid-cols-1 gap-3">
      <SegmentedControl
        label="Valor"
        labelShown
        size="normal"
        block
        segments={[
          { value: 'fixed', label: 'Sempre o mesmo' },
          { value: 'variable', label: 'Muda a cada vez' },
        ]}
        value={draft.pricing}
        onChange={(pricing) => onChange({ pricing })}
        {...(!isFixed && {
          hint: 'Você informa o valor de cada cobrança antes que ela vá para o banco, seis dias antes do débito.',
        })}
      />
      {isFixed ? (
        <MoneyField
          label="Valor de cada cobrança"
          labelHidden
          size="normal"
          hint="Não muda depois de autorizado."
          cents={draft.amountCents}
          readAmount={centsFromText}
          error={problems.amountCents}
          onCents={(amountCents) => onChange({ amountCents })}
        />
      ) : (
        <MoneyField
          label="Menor máximo (opcional)"
          size="normal"
          hint="No banco, o pagador escolhe quanto aceita pagar por vez. Ele não pode escolher menos do que isto."
          cents={draft.minMaximumCents}
          readAmount={centsFromText}
          error={problems.minMaximumCents}
          onCents={(minMaximumCents) => onChange({ minMaximumCents })}
        />
      )}
    </div>
  );
}

const periodLabels: Readonly<Record<SubscriptionPeriod, string>> = {
  weekly: 'Toda semana',
  monthly: 'Todo mês',
  quarterly: 'A cada três meses',
  semiannual: 'A cada seis meses',
  annual: 'Todo ano',
};
const periodOptions = subscriptionPeriods.map((value) => ({ value, label: periodLabels[value] }));

function DayFields({ draft, problems, onChange }: DraftProps) {
  const shortMonth = draft.firstDay === '' ? null : shortMonthText(draft.period, draft.firstDay);
  return (
    <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
      <SelectField
        label="Com que frequência"
        className="md:col-span-2"
        options={periodOptions}
        value={draft.period}
        onChange={(event) => {
          const period = subscriptionPeriods.find((candidate) => candidate === event.currentTarget.value);
          if (period !== undefined) onChange({ period });
        }}
      />
      <TextField
        label="Primeira cobrança"
        type="date"
        hint={
          shortMonth ?? 'O banco precisa recebê-la pelo menos dois dias antes. As outras seguem este dia.'
        }
        min={dayOf(new Date())}
        value={draft.firstDay}
        error={problems.firstDay}
        onChange={(event) => onChange({ firstDay: event.currentTarget.value })}
      />
      <TextField
        label="Última até (opcional)"
        type="date"
        hint="Em branco, segue até alguém cancelar."
        min={draft.firstDay}
        value={draft.lastDay}
        error={problems.lastDay}
        onChange={(event) => onChange({ lastDay: event.currentTarget.value })}
      />
    </div>
  );
}
