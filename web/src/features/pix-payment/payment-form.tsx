import {
  CHARGE_EXPIRY,
  centsFromBrl,
  centsFromText,
  MIN_CHARGE_CENTS,
  type PayerRules,
} from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { QrCode } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { useSupports } from '../../api/provider.ts';
import { settingsQuery, taxesQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { dayOf } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { chargeAmountProblem } from '../../panel/charge/amount-problem.ts';
import { PayerRuleFields } from '../../panel/charge/payer-rule-fields.tsx';
import { Button, buttonClass, MoneyField, Notice, SegmentedControl } from '../../ui/index.ts';
import { DueAmounts } from './due-amounts.tsx';
import {
  type DueDraft,
  type DueProblems,
  dueProblemsOf,
  dueRequestOf,
  dueTermsOf,
  newDueDraft,
  problemsAfter,
  refusedDueFields,
} from './due-draft.ts';
import { DueFields } from './due-fields.tsx';
import { PaymentSummary } from './payment-summary.tsx';
import {
  clearUnansweredRequest,
  hasUnansweredRequest,
  MISSING_CHARGE_ID,
  useCreateCharge,
} from './use-create-charge.ts';

/** The lifetimes of a charge that the form offers, in seconds. */
const lifetimeOptions = [
  { value: 900, label: '15 min' },
  { value: 1800, label: '30 min' },
  { value: 3600, label: '1 hora' },
  { value: 86_400, label: '24 horas' },
] as const satisfies readonly { value: (typeof CHARGE_EXPIRY.options)[number]; label: string }[];

/** `now`: the charge lives for hours at most; `due`: it falls due on a day, and names whom it is for. */
type ChargeKind = 'now' | 'due';

const kindOptions = [
  { value: 'now', label: 'À vista' },
  { value: 'due', label: 'Com vencimento' },
] as const satisfies readonly { value: ChargeKind; label: string }[];

/** Creates a charge: asks for the amount, and the lifetime or the due date, and shows what comes of it. */
export function PaymentForm({ onCreated }: { onCreated: (id: string) => void }) {
  const form = usePaymentForm(onCreated);
  const { must_connect: isWithoutBank } = useMerchantBank();
  // A provider (the gateway behind the dashboard) other than our own knows no due dates.
  const hasDueDates = useSupports('dueDates');
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
      <form ref={form.formElement} noValidate onSubmit={form.submit} className="grid grid-cols-1 gap-6">
        {isWithoutBank && (
          <Notice tone="warning" title="Nenhuma conta bancária ativa." action={<BankLink />}>
            Nada novo pode ser recebido até uma das suas contas estar ativa.
          </Notice>
        )}
        {form.hadUnansweredRequest && <UnansweredRequestNotice />}
        <MoneyField
          ref={form.amountField}
          autoFocus
          label="Valor"
          name="amount"
          hint={`Mínimo ${formatMoney(MIN_CHARGE_CENTS)}.`}
          error={form.amountError}
          cents={form.cents}
          readAmount={centsFromText}
          onCents={form.changeAmount}
        />
        {hasDueDates && (
          <SegmentedControl
            label="Quando se paga"
            labelShown
            size="normal"
            segments={kindOptions}
            value={form.kind}
            onChange={form.setKind}
          />
        )}
        {form.kind === 'due' ? (
          <DueFields
            draft={form.due}
            problems={form.dueProblems}
            amountCents={form.cents}
            onChange={form.changeDue}
          >
            <ChargeRules rules={form.rules} onChange={form.setRules} />
          </DueFields>
        ) : (
          <SegmentedControl
            label="Expira em"
            labelShown
            size="normal"
            hint="Depois disso o código não pode mais ser pago."
            segments={lifetimeOptions}
            value={form.expiresIn}
            onChange={form.setExpiresIn}
          />
        )}
        {form.failure !== undefined && (
          <Notice
            tone="error"
            action={form.failure.isWithoutBank && !isWithoutBank ? <BankLink /> : undefined}
          >
            {form.failure.text}
          </Notice>
        )}
        <Button
          type="submit"
          variant="primary"
          size="large"
          block
          isSending={form.isSending}
          icon={<QrCode className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
        >
          Gerar Pagamento
        </Button>
      </form>
      <div className="grid gap-6">
        {form.kind === 'due' && <DueAmounts terms={dueTermsOf(form.due, form.cents)} />}
        <PaymentSummary cents={form.cents} taxes={form.taxes} />
      </div>
    </div>
  );
}

/** The errors that are mended on the page *Banco*. */
const bankCodes = ['BANK_NOT_CONNECTED', 'BANK_ACCOUNT_SUSPENDED'];

function usePaymentForm(onCreated: (id: string) => void) {
  const [cents, setCents] = useState<number | null>(null);
  const [expiresIn, setExpiresIn] = useState<number>(CHARGE_EXPIRY.default);
  const [kind, setKind] = useState<ChargeKind>('now');
  const [due, setDue] = useState(() => newDueDraft(dayOf(new Date())));
  const [dueProblems, setDueProblems] = useState<DueProblems>({});
  /** How often the gateway refused something about the due date. */
  const [refusals, setRefusals] = useState(0);
  const [rules, setRules] = useState<PayerRules>(rulesOfAccount);
  const [amountError, setAmountError] = useState<string>();
  const [failure, setFailure] = useState<{ text: string; isWithoutBank: boolean }>();
  const amountField = useRef<HTMLInputElement>(null);
  const formElement = useRef<HTMLFormElement>(null);
  const taxes = useQuery(taxesQuery).data;
  const maxCharge = useQuery(settingsQuery).data?.maxCharge;
  const createCharge = useCreateCharge();
  // Read only when the form opens: a charge that this form itself requests must not raise the warning.
  const [hadUnansweredRequest] = useState(hasUnansweredRequest);

  // Only now is the first refused field marked, and shown if it was hidden.
  useEffect(() => {
    if (refusals > 0) formElement.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  const changeAmount = (newCents: number | null) => {
    setCents(newCents);
    setAmountError(undefined);
  };
  const changeDue = (changed: Partial<DueDraft>) => {
    setDue((previous) => ({ ...previous, ...changed }));
    setDueProblems((shown) => problemsAfter(shown, changed));
  };
  const refuseAmount = (problem: string) => {
    setAmountError(problem);
    amountField.current?.focus();
  };
  const refuseDue = (problems: DueProblems) => {
    setDueProblems(problems);
    setRefusals((count) => count + 1);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const maxCents = maxCharge === undefined ? null : (centsFromBrl(maxCharge) ?? null);
    const problem = chargeAmountProblem(cents, { maxCents, fee: taxes?.in ?? null });
    const newDueProblems = kind === 'due' ? dueProblemsOf(due, cents, dayOf(new Date())) : {};
    setDueProblems(newDueProblems);
    // A missing amount always has a problem; the check for null only tells TypeScript so.
    if (cents === null || problem !== undefined) return refuseAmount(problem ?? '');
    setAmountError(undefined);
    if (Object.keys(newDueProblems).length > 0) return;
    // React Query skips these callbacks once the form is unmounted, so a late response does not navigate.
    createCharge.mutate(
      {
        amountCents: cents,
        expiresIn,
        ...(kind === 'due' && { due: { ...dueRequestOf(due), ...requestedRules(rules) } }),
      },
      {
        onSuccess: ({ id }) => onCreated(id || MISSING_CHARGE_ID),
        onError: (error) => {
          const text = errorText(error, 'Erro ao gerar pagamento PIX.');
          const refused = refusedDueFields(error);
          if (refused.amount !== undefined) return refuseAmount(refused.amount);
          if (kind === 'due' && Object.keys(refused.problems).length > 0) return refuseDue(refused.problems);
          if (error instanceof ApiError && error.code?.startsWith('AMOUNT_')) refuseAmount(text);
          else
            setFailure({
              text,
              isWithoutBank: error instanceof ApiError && bankCodes.includes(error.code ?? ''),
            });
        },
      },
    );
  };

  return {
    cents,
    changeAmount,
    formElement,
    amountField,
    amountError,
    expiresIn,
    setExpiresIn,
    kind,
    setKind,
    due,
    dueProblems,
    changeDue,
    rules,
    setRules,
    taxes,
    failure,
    hadUnansweredRequest,
    isSending: createCharge.isPending,
    submit,
  };
}

/** A charge without rules of its own. */
const rulesOfAccount: PayerRules = { other_payer: null, late: null, doubled: null };
const asInAccount = 'Como na conta';
const withoutRule = { other_payer: asInAccount, late: asInAccount, doubled: asInAccount };

const requestedRules = (rules: PayerRules) =>
  Object.values(rules).some((rule) => rule !== null) ? { payer_rules: rules } : {};

/** Rules of this one charge, which few need. */
function ChargeRules(props: { rules: PayerRules; onChange: (rules: PayerRules) => void }) {
  return (
    <details>
      <summary className="link w-fit cursor-pointer py-1 font-medium">Quem pode pagar</summary>
      <div className="mt-3 grid grid-cols-1 gap-4">
        <PayerRuleFields {...props} withoutRule={withoutRule} />
      </div>
    </details>
  );
}

/** Leads to the screen where a bank is connected, without which nothing can be charged. */
function BankLink() {
  return (
    <Link to={paths.bank} className={buttonClass({ size: 'small' })}>
      Abrir Banco
    </Link>
  );
}

/** Warns, before another charge is created, that the outcome of the last request is unknown. */
function UnansweredRequestNotice() {
  return (
    <Notice
      tone="info"
      title="A última cobrança ficou sem confirmação."
      action={
        <Link
          to={paths.transactions}
          className={buttonClass({ size: 'small' })}
          onClick={clearUnansweredRequest}
        >
          Ver transações
        </Link>
      }
    >
      Ela pode ter sido criada: confira antes de gerar outra.
    </Notice>
  );
}
