import { centsFromText, type PaymentRefundsModel, type TransactionModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { failureOutcomeOf } from '../../api/intents.ts';
import { profileQuery } from '../../api/queries.ts';
import { formatDeduction, formatMoney } from '../../format/money.ts';
import { Balance } from '../../panel/balance.tsx';
import { useMay } from '../../session/account.ts';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { Button, Dialog, Facts, MoneyField, Notice, SegmentedControl, TextField } from '../../ui/index.ts';
import { useRefund } from './use-refund.ts';

const REASON_MAX_LENGTH = 140;

type RefundDialogProps = {
  transaction: TransactionModel;
  refunds: PaymentRefundsModel;
  onClose: () => void;
};

/**
 * Refunds a payment, in full or in part. While the outcome of a request is unknown, the dialog only offers to
 * repeat that request unchanged.
 */
export function RefundDialog({ transaction, refunds, onClose }: RefundDialogProps) {
  const form = useRefundForm({ transaction, refunds, onClose });
  const { isSending, unconfirmedRequest, refundCents, balanceCents, failure } = form;
  const formId = useId();
  const feeCents = transaction.billedFeeCents ?? transaction.amountCents - transaction.creditedCents;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Estornar pagamento"
      locked={isSending}
      footer={
        <>
          <Button onClick={onClose} disabled={isSending}>
            {unconfirmedRequest === null ? 'Cancelar' : 'Fechar'}
          </Button>
          <Button type="submit" form={formId} variant="solid-danger" isSending={isSending}>
            {unconfirmedRequest === null
              ? `Estornar ${refundCents === null ? '' : formatMoney(refundCents)}`
              : 'Tentar de novo'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.submit} className="grid grid-cols-1 gap-5">
        <p className="text-muted">
          O dinheiro sai {transaction.billedFeeCents !== null ? 'da sua conta no banco' : 'do seu saldo'} e
          volta para a conta de quem pagou. Um estorno não pode ser desfeito.
          {feeCents > 0 && ` A tarifa de ${formatMoney(feeCents)} não é devolvida.`}
        </p>
        {unconfirmedRequest === null ? (
          <RefundChoice refunds={refunds} form={form} />
        ) : (
          <UnconfirmedNotice failure={failure} />
        )}
        <RefundFacts
          transaction={transaction}
          refunds={refunds}
          balanceCents={balanceCents}
          refundCents={refundCents}
        />
        {unconfirmedRequest === null && failure !== undefined && <Notice tone="error">{failure}</Notice>}
      </form>
    </Dialog>
  );
}

/** The state of the refund form, and its submission. */
function useRefundForm({ transaction, refunds, onClose }: RefundDialogProps) {
  const refund = useRefund(transaction.id);
  const { unconfirmedRequest, forgetUnconfirmedRequest } = refund;
  const [isPartial, setIsPartial] = useState(false);
  const [typedCents, setTypedCents] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const [amountError, setAmountError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const amountField = useRef<HTMLInputElement>(null);
  const user = useQuery(profileQuery).data;
  // A refund leaves from the account at which the payment arrived, and at an own account the bank decides.
  const isAtOwnAccount = transaction.billedFeeCents !== null;
  const readsMoney = useMay('read-money');
  const balanceCents =
    isAtOwnAccount || !readsMoney ? undefined : (user?.atOperatorCents ?? user?.balanceCents);
  const maxCents = refunds.refundableCents;
  // This only decides about a warning: the cached balance may be stale, and the server makes the final check.
  const exceedsBalance = balanceCents !== undefined && balanceCents < maxCents;
  const amountCents = unconfirmedRequest?.amountCents ?? (isPartial ? typedCents : maxCents);
  const isInvalid =
    unconfirmedRequest === null &&
    (amountError !== undefined || refundAmountProblem(amountCents, maxCents) !== undefined);
  const refundCents = isInvalid ? null : amountCents;

  // A request that got no response may still have been carried out; the list of refunds then contains it.
  const wasRequestCarriedOut =
    unconfirmedRequest !== null && refunds.refunds.some(({ ownId }) => ownId === unconfirmedRequest.refundId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dialog closes when the request is done, not on each render
  useEffect(() => {
    if (!wasRequestCarriedOut) return;
    forgetUnconfirmedRequest();
    onClose();
  }, [wasRequestCarriedOut]);

  const refuseAmount = (problem: string) => {
    setAmountError(problem);
    amountField.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const problem = unconfirmedRequest === null ? refundAmountProblem(amountCents, maxCents) : undefined;
    // A missing amount always has a problem; the check for null only tells TypeScript so.
    if (amountCents === null || problem !== undefined) return refuseAmount(problem ?? '');
    setAmountError(undefined);
    try {
      await refund.mutateAsync({ amountCents, reason: reason.trim() });
      onClose();
    } catch (error) {
      // While the outcome is unknown, `UnconfirmedNotice` is shown instead of a failure.
      if (!(error instanceof ApiError) || failureOutcomeOf(error) === 'unknown') return;
      const text = errorText(error, 'Erro ao pedir o estorno.');
      if (isPartial && amountErrorCodes.has(error.code ?? '')) refuseAmount(text);
      else setFailure(text);
    }
  };
  return {
    isSending: refund.isPending,
    unconfirmedRequest,
    balanceCents,
    maxCents,
    exceedsBalance,
    refundCents,
    isPartial,
    typedCents,
    reason,
    amountError,
    failure,
    amountField,
    submit,
    setReason,
    changeIsPartial: (newIsPartial: boolean) => {
      setIsPartial(newIsPartial);
      setAmountError(undefined);
      setFailure(undefined);
    },
    changeAmount: (newCents: number | null) => {
      setTypedCents(newCents);
      setAmountError(undefined);
      setFailure(undefined);
    },
  };
}

type RefundForm = ReturnType<typeof useRefundForm>;

/** The amount to refund, in full or in part, and the reason. */
function RefundChoice({ refunds, form }: { refunds: PaymentRefundsModel; form: RefundForm }) {
  const { isPartial, exceedsBalance } = form;
  const isBalanceHidden = useBalanceHidden();
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
        value={isPartial ? 'part' : 'all'}
        onChange={(value) => form.changeIsPartial(value === 'part')}
      />
      {isPartial && (
        <MoneyField
          ref={form.amountField}
          label="Valor a devolver"
          name="amount"
          hint={amountHint(form, isBalanceHidden)}
          error={form.amountError}
          cents={form.typedCents}
          readAmount={centsFromText}
          onCents={form.changeAmount}
        />
      )}
      {!isPartial && exceedsBalance && (
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
        value={form.reason}
        onChange={(event) => form.setReason(event.currentTarget.value)}
      />
    </>
  );
}

function amountHint(
  { balanceCents, exceedsBalance, maxCents }: RefundForm,
  isBalanceHidden: boolean,
): string {
  if (!exceedsBalance || balanceCents === undefined) return `Máximo ${formatMoney(maxCents)}.`;
  if (isBalanceHidden) return 'Máximo: o seu saldo disponível.';
  return `Máximo ${formatMoney(balanceCents)}, o seu saldo disponível.`;
}

/**
 * Says that the outcome of the refund request is unknown. `failure` says why the latest attempt failed, if that is
 * known, and is shown first.
 */
function UnconfirmedNotice({ failure }: { failure: string | undefined }) {
  return (
    <div role="alert">
      <Notice tone="warning" title="O pedido ficou sem confirmação.">
        {failure !== undefined && `${failure} `}
        Não sabemos se ele foi feito. Tente de novo: é o mesmo pedido, e o valor não é devolvido duas vezes.
      </Notice>
    </div>
  );
}

type RefundFactsProps = {
  transaction: TransactionModel;
  refunds: PaymentRefundsModel;
  balanceCents: number | undefined;
  /** The amount to refund; null while it is missing or invalid. */
  refundCents: number | null;
};

/** The amount paid, the amount already refunded, the merchant's balance, and the amount that the payer will receive. */
function RefundFacts({ transaction, refunds, balanceCents, refundCents }: RefundFactsProps) {
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
        ...(balanceCents === undefined
          ? []
          : [{ label: 'Seu saldo disponível', value: <Balance cents={balanceCents} /> }]),
        { label: 'Quem pagou recebe', value: formatMoney(refundCents), strong: true },
      ]}
    />
  );
}

/** The codes of errors about the typed amount, which are shown below the amount's field. */
const amountErrorCodes: ReadonlySet<string> = new Set([
  'AMOUNT_INVALID',
  'REFUND_EXCEEDS_PAYMENT',
  'INSUFFICIENT_BALANCE',
]);

function refundAmountProblem(cents: number | null, maxCents: number): string | undefined {
  if (cents === null || cents <= 0) return 'Por favor, insira um valor válido.';
  return cents > maxCents ? `O valor máximo é ${formatMoney(maxCents)}.` : undefined;
}
