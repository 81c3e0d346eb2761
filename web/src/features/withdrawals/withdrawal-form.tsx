import { centsFromText, defaultOutFees, feeCents, type OutFeesModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { failureMeaningOf } from '../../api/intents.ts';
import { outFeesQuery, profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { formatMoney } from '../../format/money.ts';
import { SetPinDialog } from '../../panel/pin/set-pin-dialog.tsx';
import { canonicalKey } from '../../panel/pix-key/pix-key.ts';
import { PixKeyFields } from '../../panel/pix-key/pix-key-fields.tsx';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { checkPin, pin as pinStore, usePin } from '../../session/pin-status.ts';
import { Button, HiddenAmount, MoneyField } from '../../ui/index.ts';
import { OutcomeDialog, type WithdrawalOutcome } from './outcome-dialog.tsx';
import { type Confirmed, PinDialog } from './pin-dialog.tsx';
import { PinState } from './pin-state.tsx';
import { isRefused, useWithdraw } from './use-withdraw.ts';
import type { WithdrawalBlocker } from './withdrawal-blocker.tsx';
import { useWithdrawalDraft } from './withdrawal-draft.ts';
import {
  amountProblem,
  mostCents,
  places,
  type WithdrawalFormPart,
  withdrawalProblems,
} from './withdrawal-problem.ts';
import { WithdrawalSummary } from './withdrawal-summary.tsx';

const FAILURE = 'Erro ao processar saque. Verifique o PIN ou tente novamente.';

type WithdrawalFormProps = {
  /** While set, no withdrawal can be requested. */
  halt: WithdrawalBlocker | undefined;
};

type Step = { request: Confirmed } & (
  | { at: 'pin'; wrong: string | undefined }
  | { at: 'outcome'; outcome: WithdrawalOutcome }
);

/** Amount and key, then the PIN, then the outcome. */
export function WithdrawalForm({ halt }: WithdrawalFormProps) {
  const form = useWithdrawalForm();
  const stopped = halt !== undefined || form.pin.lockedUntil !== null || form.pin.heldUntil !== null;
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
      <form noValidate onSubmit={form.submit} className="grid grid-cols-1 gap-5">
        <MoneyField
          ref={form.amountField}
          label="Valor"
          name="amount"
          hint={
            <AmountHint
              minCents={form.terms.minCents}
              balanceCents={form.balanceCents}
              mostCents={form.most}
            />
          }
          error={form.problems.amount}
          cents={form.cents}
          readAmount={centsFromText}
          onCents={(next) => {
            form.setCents(next);
            form.putRight('amount');
          }}
          after={<TakeAllButton balanceCents={form.balanceCents} onTakeAll={form.takeMost} />}
        />
        <PixKeyFields
          ref={form.keyField}
          typed={form.key}
          onTyped={(next) => {
            form.setDraft((before) => ({ ...before, key: next }));
            form.putRight('key');
          }}
          error={form.problems.key}
        />
        <div className="grid gap-3">
          <Button type="submit" variant="primary" size="large" block disabled={stopped}>
            Solicitar Saque
          </Button>
          <PinState
            ref={form.pinMessage}
            pin={form.pin}
            halt={halt}
            onDefine={() => form.setDefiningPin(true)}
          />
        </div>
      </form>
      <WithdrawalSummary
        cents={form.cents}
        arrives={
          amountProblem(form.cents, { balanceCents: form.balanceCents, terms: form.terms }) === undefined
        }
        fee={form.terms.fee}
        failed={form.outFees.isError && form.outFees.data === undefined}
        retrying={form.outFees.isFetching}
        onRetry={() => form.outFees.refetch()}
      />
      <SetPinDialog open={form.definingPin} onClose={() => form.setDefiningPin(false)} />
      <WithdrawalSteps
        withdraw={form.withdraw}
        onCents={form.setCents}
        onStep={form.setStep}
        terms={form.terms}
        step={form.step}
      />
    </div>
  );
}

/** The state of the form: the request, its errors and the current step. */
function useWithdrawalForm() {
  const [{ cents, key }, setDraft] = useWithdrawalDraft();
  const setCents = (next: number | null) => setDraft((before) => ({ ...before, cents: next }));
  const [problems, setProblems] = useState<Partial<Record<WithdrawalFormPart, string | undefined>>>({});
  const [step, setStep] = useState<Step | null>(null);
  const [definingPin, setDefiningPin] = useState(false);
  const amountField = useRef<HTMLInputElement>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const pinMessage = useRef<HTMLDivElement>(null);
  const outFees = useQuery(outFeesQuery);
  const terms = outFees.data ?? defaultOutFees;
  useTermsAt(terms.capsUntil);
  const balanceCents = useQuery(profileQuery).data?.balanceCents ?? null;
  const pin = usePin();
  const withdraw = useWithdraw();
  useEffect(() => {
    // A hold may have begun since, through a mailed link, another tab or another device.
    if (['set', 'not_set'].includes(pinStore.getState().status)) void checkPin();
  }, []);

  const putRight = (place: WithdrawalFormPart) =>
    setProblems((before) => ({ ...before, [place]: undefined }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = withdrawalProblems({ cents, key }, { balanceCents, terms, pin: pin.status });
    setProblems(found);
    const first = places.find((place) => found[place] !== undefined);
    if (first !== undefined)
      return { amount: amountField, key: keyField, pin: pinMessage }[first].current?.focus();
    const pixKey = canonicalKey(key.type, key.text);
    if (cents === null || pixKey === null) return;
    setStep({ at: 'pin', wrong: undefined, request: { amountCents: cents, keyType: key.type, pixKey } });
  };

  const most = mostCents({ balanceCents, terms });
  const takeMost = () => {
    if (most === null) return;
    setCents(most === 0 ? null : most);
    setProblems((before) => ({
      ...before,
      // Nothing is left to withdraw until the limit resets, which the error says.
      amount: most === 0 ? amountProblem(balanceCents, { balanceCents, terms }) : undefined,
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
    definingPin,
    setDefiningPin,
    amountField,
    keyField,
    pinMessage,
    outFees,
    terms,
    balanceCents,
    pin,
    withdraw,
    putRight,
    submit,
    most,
    takeMost,
  };
}

type WithdrawalStepsProps = {
  withdraw: ReturnType<typeof useWithdraw>;
  onCents: (cents: number | null) => void;
  onStep: (step: Step | null) => void;
  terms: OutFeesModel;
  step: Step | null;
};

/** After the form: the PIN, then the outcome. */
function WithdrawalSteps({ withdraw, onCents, onStep, terms, step }: WithdrawalStepsProps) {
  // True while an earlier attempt may have made a withdrawal.
  const hasUnknownAttempt = useRef(false);
  const send = async (request: Confirmed, pin: string) => {
    try {
      const { message } = await withdraw.mutateAsync({ ...request, pin });
      hasUnknownAttempt.current = false;
      onCents(null);
      onStep({ at: 'outcome', request, outcome: { kind: 'accepted', message } });
    } catch (error) {
      const concernsThisAttempt = failureMeaningOf(error) === 'not-done';
      const outcome = outcomeOf(error, hasUnknownAttempt.current && concernsThisAttempt);
      if (!concernsThisAttempt) hasUnknownAttempt.current = outcome.kind !== 'refused';
      onStep({ at: 'outcome', request, outcome });
    }
  };
  const closeOutcome = (outcome: WithdrawalOutcome, request: Confirmed) => {
    if (outcome.kind === 'refused' && outcome.isPinWrong) {
      return onStep({ at: 'pin', wrong: outcome.message, request });
    }
    onStep(null);
  };
  const netOf = ({ amountCents }: Confirmed) => amountCents - feeCents(amountCents, terms.fee);
  return (
    <>
      {step?.at === 'pin' && (
        <PinDialog
          request={step.request}
          netCents={netOf(step.request)}
          wrong={step.wrong}
          sending={withdraw.isPending}
          onClose={() => onStep(null)}
          onPin={(digits) => send(step.request, digits)}
        />
      )}
      {step?.at === 'outcome' && (
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

function TakeAllButton({ balanceCents, onTakeAll }: { balanceCents: number | null; onTakeAll: () => void }) {
  return (
    <button
      type="button"
      className="-mr-2 h-10 shrink-0 rounded-field px-2 text-sm font-label text-primary disabled:text-muted"
      disabled={balanceCents === null || balanceCents <= 0}
      onClick={onTakeAll}
    >
      Sacar tudo
    </button>
  );
}

type AmountHintProps = { minCents: number; balanceCents: number | null; mostCents: number | null };

function AmountHint({ minCents, balanceCents, mostCents }: AmountHintProps) {
  const hidden = useBalanceHidden();
  const limited = balanceCents !== null && mostCents !== null && mostCents < balanceCents;
  return (
    <>
      Mínimo {formatMoney(minCents)}
      {balanceCents !== null && <> · disponível {hidden ? <HiddenAmount /> : formatMoney(balanceCents)}</>}
      {limited && <> · limite agora {formatMoney(mostCents)}</>}
    </>
  );
}

/** Different limits apply at different times of day. */
const LONGEST_MS = 24 * 3_600_000;

/** Refetches the terms when other limits begin to apply by this browser's clock; the gateway decides. */
function useTermsAt(moment: string | null) {
  useEffect(() => {
    if (moment === null) return;
    const left = Date.parse(moment) - Date.now();
    if (!(left > 0 && left < LONGEST_MS)) return;
    const timer = setTimeout(() => void queryClient.invalidateQueries(outFeesQuery), left + 1000);
    return () => clearTimeout(timer);
  }, [moment]);
}

/** A failure that concerns the last attempt alone says nothing about an earlier one, which may have been carried out. */
function outcomeOf(error: unknown, isEarlierUnknown: boolean): WithdrawalOutcome {
  if (!(error instanceof ApiError && error.answered)) return { kind: 'unknown' };
  const { code, details } = error;
  // After the last wrong PIN withdrawals are locked, so there is no point in asking again.
  const isPinWrong = code === 'PIN_WRONG' && details['attempts_left'] !== 0;
  if (!isRefused(error) || (isEarlierUnknown && !isPinWrong))
    return { kind: 'failed', message: errorText(error, FAILURE) };
  return {
    kind: 'refused',
    message: errorText(error, FAILURE),
    isPinWrong,
    isOtherPending: code === 'WITHDRAWAL_PENDING',
  };
}
