import { centsFromText, defaultOutFees, feeCents, type OutFeesModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { failureOutcomeOf } from '../../api/intents.ts';
import { queryClient } from '../../api/query.ts';
import { outFeesQuery } from '../../api/withdrawal-queries.ts';
import { formatMoney } from '../../format/money.ts';
import { SetPinDialog } from '../../panel/pin/set-pin-dialog.tsx';
import { canonicalKey } from '../../panel/pix-key/pix-key.ts';
import { PixKeyFields } from '../../panel/pix-key/pix-key-fields.tsx';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { checkPin, pin as pinStore, usePin } from '../../session/pin-status.ts';
import { Button, HiddenAmount, MoneyField } from '../../ui/index.ts';
import { OutcomeDialog, type WithdrawalOutcome } from './outcome-dialog.tsx';
import { PinDialog, type WithdrawalToConfirm } from './pin-dialog.tsx';
import { PinMessage } from './pin-message.tsx';
import { isKnownNotMade, useWithdraw } from './use-withdraw.ts';
import type { WithdrawalBlocker } from './withdrawal-blocker.tsx';
import { useWithdrawalDraft } from './withdrawal-draft.ts';
import {
  formParts,
  maxWithdrawalCents,
  type WithdrawalFormPart,
  withdrawalAmountProblem,
  withdrawalProblems,
} from './withdrawal-problem.ts';
import { NotSendable, SourceField, useWithdrawalSources } from './withdrawal-sources.tsx';
import { WithdrawalSummary } from './withdrawal-summary.tsx';

const FAILURE = 'Erro ao processar saque. Verifique o PIN ou tente novamente.';

type WithdrawalFormProps = {
  /** The reason that blocks every withdrawal, if there is one. */
  blocker: WithdrawalBlocker | undefined;
};

/**
 * The step after the form: a dialog that asks for the PIN, with the error about the previous PIN if there is one, or a
 * dialog that shows the outcome.
 */
type Step = { request: WithdrawalToConfirm } & (
  | { kind: 'pin'; previousError: string | undefined }
  | { kind: 'outcome'; outcome: WithdrawalOutcome }
);

/** Requests a withdrawal: amount and Pix key first, then the PIN in a dialog, then the outcome. */
export function WithdrawalForm({ blocker }: WithdrawalFormProps) {
  const form = useWithdrawalForm();
  const isBlocked = blocker !== undefined || form.pin.lockedUntil !== null || form.pin.heldUntil !== null;
  const { balanceCents, terms } = form;
  const amountProblem = withdrawalAmountProblem(form.cents, { balanceCents, terms });
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
      <form noValidate onSubmit={form.submit} className="grid grid-cols-1 gap-5">
        <SourceField {...form.from} onChoice={() => form.clearProblem('amount')} />
        <MoneyField
          ref={form.amountField}
          label="Valor"
          name="amount"
          hint={<AmountHint minCents={terms.minCents} balanceCents={balanceCents} maxCents={form.maxCents} />}
          error={form.problems.amount}
          cents={form.cents}
          readAmount={centsFromText}
          onCents={(newCents) => {
            form.setCents(newCents);
            form.clearProblem('amount');
          }}
          after={<WithdrawAllButton balanceCents={balanceCents} onWithdrawAll={form.fillInMax} />}
        />
        <NotSendable cents={form.from.notSendableCents} />
        <PixKeyFields
          ref={form.keyField}
          typed={form.key}
          onTyped={(newKey) => {
            form.setDraft((draft) => ({ ...draft, key: newKey }));
            form.clearProblem('key');
          }}
          error={form.problems.key}
        />
        <div className="grid gap-3">
          <Button type="submit" variant="primary" size="large" block disabled={isBlocked}>
            Solicitar Saque
          </Button>
          <PinMessage
            ref={form.pinMessage}
            pin={form.pin}
            blocker={blocker}
            onSetPin={() => form.setIsSettingPin(true)}
          />
        </div>
      </form>
      <WithdrawalSummary
        cents={form.cents}
        isAllowed={amountProblem === undefined}
        fee={terms.fee}
        isFromOwn={form.from.source?.isOwn ?? false}
        hasFeeFailed={form.outFees.isError && form.outFees.data === undefined}
        isRetrying={form.outFees.isFetching}
        onRetry={() => form.outFees.refetch()}
      />
      <SetPinDialog open={form.isSettingPin} onClose={() => form.setIsSettingPin(false)} />
      <WithdrawalSteps
        withdraw={form.withdraw}
        onCents={form.setCents}
        onStep={form.setStep}
        terms={terms}
        step={form.step}
      />
    </div>
  );
}

/** The state of the form: the request, its errors and the current step. */
function useWithdrawalForm() {
  const [{ cents, key }, setDraft] = useWithdrawalDraft();
  const setCents = (newCents: number | null) => setDraft((draft) => ({ ...draft, cents: newCents }));
  const [problems, setProblems] = useState<Partial<Record<WithdrawalFormPart, string | undefined>>>({});
  const [step, setStep] = useState<Step | null>(null);
  const [isSettingPin, setIsSettingPin] = useState(false);
  const amountField = useRef<HTMLInputElement>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const pinMessage = useRef<HTMLDivElement>(null);
  const focusTargets = { amount: amountField, key: keyField, pin: pinMessage };
  const outFees = useQuery(outFeesQuery);
  // The minimum, the maximum, the limits and the fee of a withdrawal.
  const terms = outFees.data ?? defaultOutFees;
  useRefetchTermsAt(terms.capsUntil);
  const from = useWithdrawalSources();
  const { balanceCents } = from;
  const pin = usePin();
  const withdraw = useWithdraw();
  useEffect(() => {
    // The PIN's state may be stale: in another tab, on another device or through a link in an e-mail, the user may have
    // changed something that suspends withdrawals.
    if (['set', 'not_set'].includes(pinStore.getState().status)) void checkPin();
  }, []);

  const clearProblem = (part: WithdrawalFormPart) =>
    setProblems((shown) => ({ ...shown, [part]: undefined }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newProblems = withdrawalProblems({ cents, key }, { balanceCents, terms, pin: pin.status });
    setProblems(newProblems);
    const firstInvalid = formParts.find((part) => newProblems[part] !== undefined);
    if (firstInvalid !== undefined) return focusTargets[firstInvalid].current?.focus();
    const pixKey = canonicalKey(key.type, key.text);
    // Neither is null once the checks above have passed; this only tells TypeScript so.
    if (cents === null || pixKey === null) return;
    const { sources, source } = from;
    // The one account of a merchant without own accounts needs no name, so that other gateways get the call they know.
    const isNamed = source !== undefined && (sources.length > 1 || source.isOwn);
    const request = { amountCents: cents, keyType: key.type, pixKey, source: isNamed ? source : undefined };
    setStep({ kind: 'pin', previousError: undefined, request });
  };

  const maxCents = maxWithdrawalCents({ balanceCents, terms });
  const fillInMax = () => {
    if (maxCents === null) return;
    setCents(maxCents === 0 ? null : maxCents);
    setProblems((shown) => ({
      ...shown,
      // If the limit leaves nothing to withdraw, the field shows an error that says when the limit resets.
      amount: maxCents === 0 ? withdrawalAmountProblem(balanceCents, { balanceCents, terms }) : undefined,
    }));
  };

  return {
    cents,
    key,
    setDraft,
    setCents,
    problems,
    step,
    setStep,
    isSettingPin,
    setIsSettingPin,
    amountField,
    keyField,
    pinMessage,
    outFees,
    terms,
    balanceCents,
    from,
    pin,
    withdraw,
    clearProblem,
    submit,
    maxCents,
    fillInMax,
  };
}

type WithdrawalStepsProps = {
  withdraw: ReturnType<typeof useWithdraw>;
  onCents: (cents: number | null) => void;
  onStep: (step: Step | null) => void;
  terms: OutFeesModel;
  step: Step | null;
};

/** The dialogs after the form: the PIN, then the outcome. */
function WithdrawalSteps({ withdraw, onCents, onStep, terms, step }: WithdrawalStepsProps) {
  // True while an earlier attempt, whose outcome is unknown, may have made a withdrawal.
  const hasUnknownAttempt = useRef(false);
  const send = async (request: WithdrawalToConfirm, pin: string) => {
    try {
      const { message, withdrawal } = await withdraw.mutateAsync({ ...request, pin });
      hasUnknownAttempt.current = false;
      onCents(null);
      const waiting = withdrawal?.awaitsApproval ? withdrawal : null;
      onStep({ kind: 'outcome', request, outcome: { kind: 'accepted', message, waiting } });
    } catch (error) {
      // This attempt did nothing, which says nothing about earlier ones.
      const concernsOnlyThisAttempt = failureOutcomeOf(error) === 'not-done';
      const outcome = outcomeOf(error, hasUnknownAttempt.current && concernsOnlyThisAttempt);
      if (!concernsOnlyThisAttempt) hasUnknownAttempt.current = outcome.kind !== 'refused';
      onStep({ kind: 'outcome', request, outcome });
    }
  };
  const closeOutcome = (outcome: WithdrawalOutcome, request: WithdrawalToConfirm) => {
    if (outcome.kind === 'refused' && outcome.isPinWrong) {
      return onStep({ kind: 'pin', previousError: outcome.message, request });
    }
    onStep(null);
  };
  const feeOf = ({ amountCents }: WithdrawalToConfirm) => feeCents(amountCents, terms.fee);
  const netOf = (request: WithdrawalToConfirm) =>
    request.source?.isOwn ? request.amountCents : request.amountCents - feeOf(request);
  return (
    <>
      {step?.kind === 'pin' && (
        <PinDialog
          request={step.request}
          netCents={netOf(step.request)}
          feeCents={feeOf(step.request)}
          previousError={step.previousError}
          isSending={withdraw.isPending}
          onClose={() => onStep(null)}
          onPin={(digits) => send(step.request, digits)}
        />
      )}
      {step?.kind === 'outcome' && (
        <OutcomeDialog
          outcome={step.outcome}
          request={step.request}
          netCents={netOf(step.request)}
          onClose={() => closeOutcome(step.outcome, step.request)}
        />
      )}
    </>
  );
}

type WithdrawAllButtonProps = { balanceCents: number | null; onWithdrawAll: () => void };

function WithdrawAllButton({ balanceCents, onWithdrawAll }: WithdrawAllButtonProps) {
  return (
    <button
      type="button"
      className="-mr-2 h-10 shrink-0 rounded-field px-2 text-sm font-label text-primary disabled:text-muted"
      disabled={balanceCents === null || balanceCents <= 0}
      onClick={onWithdrawAll}
    >
      Sacar tudo
    </button>
  );
}

type AmountHintProps = { minCents: number; balanceCents: number | null; maxCents: number | null };

function AmountHint({ minCents, balanceCents, maxCents }: AmountHintProps) {
  const isHidden = useBalanceHidden();
  const isLimited = balanceCents !== null && maxCents !== null && maxCents < balanceCents;
  return (
    <>
      Mínimo {formatMoney(minCents)}
      {balanceCents !== null && <> · disponível {isHidden ? <HiddenAmount /> : formatMoney(balanceCents)}</>}
      {isLimited && <> · limite agora {formatMoney(maxCents)}</>}
    </>
  );
}

/**
 * Limits change with the time of day, so the next change is less than a day away. A later time is wrong, or this
 * browser's clock is, and no timer is set.
 */
const DAY_MS = 24 * 3_600_000;

/**
 * Refetches the terms from the gateway one second after other limits begin to apply by this browser's clock, which may
 * be slightly ahead.
 */
function useRefetchTermsAt(timestamp: string | null) {
  useEffect(() => {
    if (timestamp === null) return;
    const leftMs = Date.parse(timestamp) - Date.now();
    if (!(leftMs > 0 && leftMs < DAY_MS)) return;
    const timer = setTimeout(() => void queryClient.invalidateQueries(outFeesQuery), leftMs + 1000);
    return () => clearTimeout(timer);
  }, [timestamp]);
}

/**
 * The outcome to show after a failed attempt. `isEarlierUnknown` is true if an earlier attempt may have made a
 * withdrawal and this failure does not show whether it did.
 */
function outcomeOf(error: unknown, isEarlierUnknown: boolean): WithdrawalOutcome {
  if (!(error instanceof ApiError && error.hasResponse)) return { kind: 'unknown' };
  const { code, details } = error;
  // After the last wrong PIN allowed, withdrawals are locked, so the user is not asked for the PIN again.
  const isPinWrong = code === 'PIN_WRONG' && details['attempts_left'] !== 0;
  if (!isKnownNotMade(error) || (isEarlierUnknown && !isPinWrong))
    return { kind: 'failed', message: errorText(error, FAILURE) };
  return {
    kind: 'refused',
    message: errorText(error, FAILURE),
    isPinWrong,
    isOtherPending: code === 'WITHDRAWAL_PENDING',
    waitingId: typeof details['awaits_approval'] === 'string' ? details['awaits_approval'] : null,
    isAtOwnBank: code === 'MONEY_AT_OWN_BANK',
  };
}
