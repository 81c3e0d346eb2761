import type { Cycle, Subscription } from '@jangada/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { dayOf, formatCalendarDay, formatDateAtTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { asTitle, cycleName } from '../../format/subscription-words.ts';
import { Link } from '../../navigation/index.ts';
import { CopyLink } from '../../panel/charge/link-buttons.tsx';
import { LoadFailure, LoadMore } from '../../panel/list-body.tsx';
import { useNow } from '../../panel/use-now.ts';
import { useMay } from '../../session/account.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  LoadingRegion,
  SectionHeader,
  Skeleton,
  StatusBadge,
} from '../../ui/index.ts';
import { AmountDialog, CancelCycleDialog, ChargeCycleDialog } from './cycle-dialogs.tsx';
import { reasonTextOf } from './reason-texts.ts';
import {
  attemptBadges,
  cycleActions,
  cycleBadges,
  cycleExplanation,
  type DebitAttempt,
  EXPIRED_ATTEMPT,
} from './subscription-words.ts';
import { cyclesQuery } from './subscriptions-queries.ts';

const FAILURE = 'Erro ao buscar as cobranças';
const MINUTE_MS = 60_000;

type OpenDialog = { readonly kind: 'amount' | 'cancel' | 'charge'; readonly number: number };

/** The cycles of a subscription, newest first, each with what happened to it and what can be done. */
export function CyclesTimeline({ subscription }: { subscription: Subscription }) {
  const query = useInfiniteQuery(cyclesQuery(subscription.id));
  const cycles = query.data?.pages.flatMap(({ data }) => data);
  const [dialog, setDialog] = useState<OpenDialog>();
  const cycle = cycles?.find(({ number }) => number === dialog?.number);
  const close = () => setDialog(undefined);
  return (
    <section aria-labelledby="cycles">
      <SectionHeader id="cycles" title="Cobranças" />
      {cycles === undefined && query.isError && <LoadFailure query={query} title={FAILURE} place="part" />}
      {cycles === undefined && !query.isError && (
        <LoadingRegion>
          <Skeleton className="mt-2 h-20 w-full" />
          <Skeleton className="mt-3 h-20 w-full" />
        </LoadingRegion>
      )}
      {cycles?.length === 0 && (
        <EmptyState
          level={3}
          className="border-t border-base-300 py-8!"
          drawing="nothing-yet"
          title="Nenhuma cobrança ainda"
        >
          {subscription.status === 'waiting'
            ? 'Elas aparecem aqui depois que o pagador autorizar.'
            : 'Cada uma aparece aqui dez dias antes do vencimento.'}
        </EmptyState>
      )}
      {cycles !== undefined && cycles.length > 0 && (
        <ol aria-label="Cobranças" className="mt-2 divide-y divide-base-300 border-y border-base-300">
          {cycles.map((shown) => (
            <CycleEntry
              key={shown.number}
              cycle={shown}
              subscription={subscription}
              onDialog={(kind) => setDialog({ kind, number: shown.number })}
            />
          ))}
        </ol>
      )}
      <LoadMore query={query} failure={FAILURE} />
      {cycle !== undefined && dialog?.kind === 'amount' && (
        <AmountDialog subscription={subscription} cycle={cycle} onClose={close} />
      )}
      {cycle !== undefined && dialog?.kind === 'cancel' && (
        <CancelCycleDialog subscription={subscription} cycle={cycle} onClose={close} />
      )}
      {cycle !== undefined && dialog?.kind === 'charge' && (
        <ChargeCycleDialog subscription={subscription} cycle={cycle} onClose={close} />
      )}
    </section>
  );
}

type CycleEntryProps = {
  cycle: Cycle;
  subscription: Subscription;
  onDialog: (kind: OpenDialog['kind']) => void;
};

function CycleEntry({ cycle, subscription, onDialog }: CycleEntryProps) {
  const { glyph, label } = cycleBadges[cycle.status];
  const explanation = cycleExplanation(cycle);
  return (
    <li className="py-4">
      <div className="flex items-start justify-between gap-x-4 gap-y-1 max-[22rem]:flex-wrap">
        <div className="min-w-0">
          <h3 className="font-medium">
            {asTitle(cycleName(subscription.period, cycle.due_day, dayOf(new Date())))}
          </h3>
          <p className="text-xs text-muted tabular-nums">{dayText(cycle)}</p>
        </div>
        <div className="ml-auto grid justify-items-end gap-1">
          <p className="text-base font-strong whitespace-nowrap tabular-nums">
            {cycle.amount === null ? 'Sem valor' : formatMoney(centsOf(cycle.amount))}
          </p>
          <StatusBadge status={glyph}>{label}</StatusBadge>
        </div>
      </div>
      {explanation !== null && (
        <p className="mt-2">
          {explanation.what}
          {explanation.advice !== null && <span className="text-muted"> {explanation.advice}</span>}
        </p>
      )}
      <Attempts cycle={cycle} told={explanation?.what} />
      <OtherCharge cycle={cycle} />
      <CycleActions cycle={cycle} subscription={subscription} onDialog={onDialog} />
    </li>
  );
}

/** When it is debited, or was paid, and that a day off moved it. */
function dayText({ status, due_day, debit_day, paid_at }: Cycle): string {
  if (status === 'paid') return `Paga em ${formatDateAtTime(paid_at)}`;
  const moved = due_day === debit_day ? '' : ` (dia ${formatCalendarDay(due_day)} não é dia útil)`;
  return `Débito em ${formatCalendarDay(debit_day)}${moved}`;
}

/**
 * Each time that the bank was asked to debit, oldest first. A first one that was paid says nothing new. `told` is what
 * the cycle itself says already.
 */
function Attempts({ cycle: { attempts, status }, told }: { cycle: Cycle; told: string | undefined }) {
  if (attempts.length === 0 || (attempts.length === 1 && status === 'paid')) return null;
  return (
    <ul aria-label="Tentativas" className="mt-2 grid gap-2 border-l border-base-300 pl-4">
      {attempts.map((attempt) => (
        <li key={`${attempt.day} ${attempt.retry}`} className="text-sm">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="tabular-nums">
              {attempt.retry ? 'Nova tentativa' : 'Débito'} em {formatCalendarDay(attempt.day)}
            </span>
            <StatusBadge status={attemptBadges[attempt.status].glyph}>
              {attemptBadges[attempt.status].label}
            </StatusBadge>
          </span>
          <AttemptReason attempt={attempt} told={told} />
        </li>
      ))}
    </ul>
  );
}

type AttemptReasonProps = { attempt: DebitAttempt; told: string | undefined };

function AttemptReason({ attempt: { reason, status }, told }: AttemptReasonProps) {
  const what =
    reason === null ? (status === 'expired' ? EXPIRED_ATTEMPT : undefined) : reasonTextOf(reason).what;
  const parts = [what === told ? undefined : what, reason === null ? undefined : `Código ${reason.code}.`];
  const text = parts.filter((part) => part !== undefined).join(' ');
  return text === '' ? null : <p className="text-xs text-muted">{text}</p>;
}

/** The charge by which the cycle can be paid without the debit. */
function OtherCharge({ cycle }: { cycle: Cycle }) {
  const { other_payment_id: id, other_checkout_url: url, status } = cycle;
  if (id === null) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="text-muted">
        {status === 'paid'
          ? 'Foi cobrada também com código.'
          : 'Cobrada com código: envie o link ao pagador.'}
      </p>
      {url !== null && status !== 'paid' && <CopyLink size="small" url={url} />}
      <Link to={paths.transactions} search={{ id }} className={buttonClass({ size: 'small' })}>
        Ver cobrança
      </Link>
    </div>
  );
}

function CycleActions({ cycle, subscription, onDialog }: CycleEntryProps) {
  const mayManage = useMay('manage-charges');
  const actions = cycleActions(cycle, subscription.amount === null, useNow(true, MINUTE_MS));
  if (!mayManage || !Object.values(actions).includes(true)) return null;
  const name = cycleName(subscription.period, cycle.due_day, dayOf(new Date()));
  const amountLabel = cycle.amount === null ? 'Informar valor' : 'Mudar valor';
  const chargeLabel = cycle.other_payment_id === null ? 'Cobrar de outro modo' : 'Cobrar de novo';
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {actions.setAmount && (
        <Button size="small" aria-label={`${amountLabel} da ${name}`} onClick={() => onDialog('amount')}>
          {amountLabel}
        </Button>
      )}
      {actions.chargeOtherwise && (
        <Button size="small" aria-label={`${chargeLabel} a ${name}`} onClick={() => onDialog('charge')}>
          {chargeLabel}
        </Button>
      )}
      {actions.cancel && (
        <Button
          size="small"
          variant="quiet"
          aria-label={`Cancelar a ${name}`}
          onClick={() => onDialog('cancel')}
        >
          Cancelar
        </Button>
      )}
    </div>
  );
}
