import { centsFromText, type PaymentRefundsModel, type TransactionModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { failureMeaningOf } from '../../api/intents.ts';
import { profileQuery } from '../../api/queries.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import { Balance } from '../../panel/balance.tsx';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { Button, Dialog, Facts, MoneyField, Notice, SegmentedControl, TextField } from '../../ui/index.ts';
import { useRefund } from './use-refund.ts';

const REASON_MAX_LENGTH = 140;

type RefundDialogProps = {
  transaction: TransactionModel;
  refunds: PaymentRefundsModel;
  onClose: () => void;
};

/** Refunds a payment, in full or in part. */
export function RefundDialog({ transaction, refunds, onClose }: RefundDialogProps) {
  const form = useRefundForm({ transaction, refunds, onClose });
  const { sending, pending, returned, balance, failure } = form;
  const formId = useId();
  const feeCents = transaction.amountCents - transaction.creditedCents;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Estornar pagamento"
      locked={sending}
      footer={
        <>
          <Button onClick={onClose} disabled={sending}>
            {pending === null ? 'Cancelar' : 'Fechar'}
          </Button>
          <Button type="submit" form={formId} variant="solid-danger" sending={sending}>
            {pending === null
              ? `Estornar ${returned === null ? '' : formatMoney(returned)}`
              : 'Tentar de novo'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.submit} className="grid grid-cols-1 gap-5">
        <p className="text-muted">
          O dinheiro sai do seu saldo e volta para a conta de quem pagou. Um estorno não pode ser desfeito.
          {feeCents > 0 && ` A tarifa de ${formatMoney(feeCents)} não é devolvida.`}
        </p>
        {pending === null ? <RefundChoice refunds={refunds} form={form} /> : <Unconfirmed after={failure} />}
        <RefundFacts transaction={transaction} refunds={refunds} balance={balance} returned={returned} />
        {pending === null && failure !== undefined && <Notice tone="error">{failure}</Notice>}
      </form>
    </Dialog>
  );
}

/** The state of the refund form, and its submission. */
function useRefundForm({ transaction, refunds, onClose }: RefundDialogProps) {
  const refund = useRefund(transaction.id);
  const { pending } = refund;
  const [part, setPart] = useState(false);
  const [cents, setCents] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const [amountError, setAmountError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const balance = useQuery(profileQuery).data?.balanceCents;
  const most = refunds.refundableCents;
  // Shown but not enforced: the known balance may be stale, and the server makes the final check.
  const uncovered = balance !== undefined && balance < most;
  const amountCents = pending?.amountCents ?? (part ? cents : most);
  const wrong =
    pending === null && (amountError !== undefined || amountProblem(amountCents, most) !== undefined);
  const returned = wrong ? null : amountCents;

  // The list shows that a request without an answer was done after all.
  const seen = pending !== null && refunds.refunds.some(({ ownId }) => ownId === pending.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what closes is the request that is seen
  useEffect(() => {
    if (!seen) return;
    refund.forget();
    onClose();
  }, [seen]);

  const refuseAmount = (problem: string) => {
    setAmountError(problem);
    field.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const problem = pending === null ? amountProblem(amountCents, most) : undefined;
    if (amountCents === null || problem !== undefined) return refuseAmount(problem ?? '');
    setAmountError(undefined);
    try {
      await refund.mutateAsync({ amountCents, reason: reason.trim() });
      onClose();
    } catch (error) {
      // Without an answer, the notice of the pending request says it all.
      if (!(error instanceof ApiError) || failureMeaningOf(error) === 'unknown') return;
      const text = errorText(error, 'Erro ao pedir o estorno.');
      if (part && amountCodes.has(error.code ?? '')) refuseAmount(text);
      else setFailure(text);
    }
  };
  return {
    sending: refund.isPending,
    pending,
    balance,
    most,
    uncovered,
    returned,
    part,
    cents,
    reason,
    amountError,
    failure,
    field,
    submit,
    setReason,
    choosePart: (next: boolean) => {
      setPart(next);
      setAmountError(undefined);
      setFailure(undefined);
    },
    typeAmount: (next: number | null) => {
      setCents(next);
      setAmountError(undefined);
      setFailure(undefined);
    },
  };
}

type RefundForm = ReturnType<typeof useRefundForm>;

/** The amount to refund, in full or in part, and the reason. */
function RefundChoice({ refunds, form }: { refunds: PaymentRefundsModel; form: RefundForm }) {
  const { part, cents, reason, balance, most, uncovered } = form;
  const hidden = useBalanceHidden();
  const amountHint =
    !uncovered || balance === undefined
      ? `Máximo ${formatMoney(most)}.`
      : hidden
        ? 'Máximo: o seu saldo disponível.'
        : `Máximo ${formatMoney(balance)}, o seu saldo disponível.`;
  return (
    <>
      <SegmentedControl
        label="Quanto devolver"
        labelShown
        size="normal"
        block
        segments={[
          { value: 'all', label: refunds.refundedCents > 0 ? 'Todo o restante' : 'O valor inteiro' },
          { value: 'part', label: 'Uma parte' },
        ]}
        value={part ? 'part' : 'all'}
        onChange={(value) => form.choosePart(value === 'part')}
      />
      {part && (
        <MoneyField
          ref={form.field}
          label="Valor a devolver"
          name="amount"
          hint={amountHint}
          error={form.amountError}
          cents={cents}
          readAmount={centsFromText}
          onCents={form.typeAmount}
        />
      )}
      {!part && uncovered && (
        <Notice tone="warning" title="Seu saldo disponível não cobre este estorno.">
          Devolva uma parte, ou espere entrar mais dinheiro.
        </Notice>
      )}
      <TextField
        label="Motivo (opcional)"
        name="reason"
        autoComplete="off"
        maxLength={REASON_MAX_LENGTH}
        hint="Aparece neste painel e no registro do banco."
        value={reason}
        onChange={(event) => form.setReason(event.currentTarget.value)}
      />
    </>
  );
}

/** One notice for what is not known and for what was answered since. */
function Unconfirmed({ after }: { after: string | undefined }) {
  return (
    <div role="alert">
      <Notice tone="warning" title="O pedido ficou sem confirmação.">
        {after !== undefined && `${after} `}
        Não sabemos se ele foi feito. Tente de novo: é o mesmo pedido, e o valor não é devolvido duas vezes.
      </Notice>
    </div>
  );
}

type RefundFactsProps = {
  transaction: TransactionModel;
  refunds: PaymentRefundsModel;
  balance: number | undefined;
  returned: number | null;
};

function RefundFacts({ transaction, refunds, balance, returned }: RefundFactsProps) {
  return (
    <Facts
      facts={[
        { label: 'Valor pago', value: formatMoney(transaction.amountCents) },
        ...(refunds.refundedCents > 0
          ? [{ label: 'Já devolvido', value: formatDeduction(refunds.refundedCents) }]
          : []),
        ...(refunds.refundingCents > 0
          ? [{ label: 'A caminho', value: formatDeduction(refunds.refundingCents) }]
          : []),
        ...(balance === undefined
          ? []
          : [{ label: 'Seu saldo disponível', value: <Balance cents={balance} /> }]),
        { label: 'Quem pagou recebe', value: formatMoney(returned), strong: true },
      ]}
    />
  );
}

/** The refusals that are about the typed amount. */
const amountCodes: ReadonlySet<string> = new Set([
  'AMOUNT_INVALID',
  'REFUND_EXCEEDS_PAYMENT',
  'INSUFFICIENT_BALANCE',
]);

function amountProblem(cents: number | null, mostCents: number): string | undefined {
  if (cents === null || cents <= 0) return 'Por favor, insira um valor válido.';
  return cents > mostCents ? `O valor máximo é ${formatMoney(mostCents)}.` : undefined;
}
