import { CHARGE_EXPIRY, type Due, readDue } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { refetchMoney, useCharge } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { dayOf, formatCalendarDay, formatDayHeading } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { TestBankLink } from '../../panel/charge/test-bank-link.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useNow } from '../../panel/use-now.ts';
import { useMay } from '../../session/account.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  LoadingRegion,
  PageHeader,
  Panel,
  Skeleton,
  useIsNarrow,
} from '../../ui/index.ts';
import { type ChargeWithImage, canStillBePaid, hasCode, mergeStatus } from './charge.ts';
import { chargeClock } from './charge-clock.ts';
import { ChargeView } from './charge-view.tsx';
import { chargeRecordQuery, MISSING_CHARGE_ID, useCreateCharge } from './use-create-charge.ts';

type ChargeResultProps = { id: string; onCreated: (id: string) => void };

/**
 * The result screen of the charge whose id is in the URL; it changes to *Pago* by itself when the money arrives. The
 * charge comes from two queries: its record is loaded once, and its live status is watched for changes.
 */
export function ChargeResult({ id, onCreated }: ChargeResultProps) {
  const record = useQuery(chargeRecordQuery(id));
  const [isWatched, setIsWatched] = useState(true);
  // Without an id from the provider (the gateway behind the dashboard), the status of the charge cannot be requested.
  const liveCharge = useCharge(id, isWatched && id !== MISSING_CHARGE_ID);
  const currentStatus = liveCharge.data?.status;
  // `useCharge` must be told whether to watch the charge, but the answer depends on the status that it returns. The
  // state is therefore set during render.
  if (currentStatus !== undefined && isWatched !== canStillBePaid(currentStatus))
    setIsWatched(canStillBePaid(currentStatus));

  if (record.data && (liveCharge.data || liveCharge.isError)) {
    const charge = liveCharge.data ? mergeStatus(record.data, liveCharge.data) : record.data;
    return <LoadedCharge charge={charge} onCreated={onCreated} />;
  }
  if (record.data === undefined && record.isError)
    return (
      <>
        <ResultHeader state="unknown" />
        <LoadFailure query={record} title="Erro ao buscar o pagamento" />
      </>
    );
  if (record.data === null)
    return (
      <>
        <ResultHeader state="unknown" />
        <EmptyState
          drawing="no-result"
          title="Pagamento não encontrado"
          action={<NewPaymentButton variant="line" />}
        >
          Nenhuma cobrança da sua conta tem este código.
        </EmptyState>
      </>
    );
  return (
    <>
      <ResultHeader />
      <ChargeSkeleton />
    </>
  );
}

type ResultHeaderProps = {
  /** Absent while the charge loads: the header then shows the sentence for an open charge, the most frequent state. */
  state?: ResultState;
  /** Shown instead of the sentence that belongs to the state. */
  sentence?: string;
  hasNewPaymentButton?: boolean;
};

const sentences = {
  open: 'Mostre o QR Code ou envie o código. Esta tela muda sozinha quando o Pix chegar.',
  // The bank has not confirmed the charge yet, so there is no code to pay.
  codeless: 'O banco ainda não confirmou esta cobrança. Abra-a de novo em instantes.',
  expired: 'O prazo deste código acabou.',
  paid: 'O dinheiro já está no seu saldo.',
  refunded: 'O dinheiro voltou para quem pagou.',
  cancelled: 'Esta cobrança foi cancelada.',
  error: 'O banco não criou esta cobrança: não há o que pagar.',
  // The charge could not be loaded; the page below the header says why.
  unknown: undefined,
};

type ResultState = keyof typeof sentences;

/**
 * Where the money of a paid charge is, if it is not all in the balance: at the merchant's own bank, or a part of it
 * withheld for some days.
 */
function paidSentenceOf({ creditedCents, reservedCents, billedFeeCents }: ChargeWithImage) {
  if (billedFeeCents !== null) return { sentence: 'O dinheiro já está na sua conta bancária.' };
  if (reservedCents === 0) return undefined;
  const available = formatMoney(creditedCents - reservedCents);
  return { sentence: `${available} já estão no seu saldo, e ${formatMoney(reservedCents)} na reserva.` };
}

/** When a charge falls due, and until when it can be paid. */
function dueSentenceOf({ due_date, valid_until }: Due): string {
  const last = valid_until > due_date ? `, e pode ser paga até ${formatCalendarDay(valid_until)}` : '';
  const verb = due_date < dayOf(new Date()) ? 'Venceu' : 'Vence';
  return `${verb} ${formatDayHeading(due_date)}${last}. Envie o link ou o código a quem vai pagar.`;
}

function stateOf(charge: ChargeWithImage, isClosed: boolean): ResultState {
  const { status, cancelledAt } = charge;
  if (status === 'paid') return 'paid';
  if (status === 'refunded') return 'refunded';
  if (status === 'error') return 'error';
  if (cancelledAt !== null) return 'cancelled';
  if (isClosed) return 'expired';
  return hasCode(charge) ? 'open' : 'codeless';
}

function ResultHeader({ state = 'open', sentence, hasNewPaymentButton = false }: ResultHeaderProps) {
  const isNarrow = useIsNarrow();
  return (
    <PageHeader
      title="Criar Pagamento"
      sentence={sentence ?? sentences[state]}
      // On phones the button is at the bottom of the page instead, so that the code stays above the fold.
      actions={hasNewPaymentButton && !isNarrow ? <NewPaymentButton variant="line" /> : undefined}
    />
  );
}

function NewPaymentButton({ variant, isWide = false }: { variant: 'primary' | 'line'; isWide?: boolean }) {
  const linkClass = isWide ? `${buttonClass({ variant, size: 'large' })} grow` : buttonClass({ variant });
  return (
    <Link to={paths.pixPayment} search={{}} className={linkClass}>
      <Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
      Novo Pagamento
    </Link>
  );
}

function LoadedCharge({ charge, onCreated }: { charge: ChargeWithImage; onCreated: (id: string) => void }) {
  const isNarrow = useIsNarrow();
  const readsCharges = useMay('read-charges');
  const isPending = charge.status === 'pending';
  const isPaid = charge.status === 'paid';
  const due = readDue(charge.due);
  const timeLeft = chargeClock(charge, useNow(isPending));
  // A countdown of weeks tells nobody anything.
  const clock = due === undefined || timeLeft?.isExpired ? timeLeft : null;
  // A pending charge counts as closed as soon as it has expired by this browser's clock.
  const isClosed = !isPaid && (!isPending || (timeLeft?.isExpired ?? false));
  const state = stateOf(charge, isClosed);
  const [initialStatus] = useState(charge.status);
  const becamePaidHere = isPaid && canStillBePaid(initialStatus);
  // When the live channel reports a payment, it also refetches the balance and the lists. A poll does not, so they are
  // refetched here.
  useEffect(() => {
    if (becamePaidHere) void refetchMoney();
  }, [becamePaidHere]);
  useTabTitle(isPaid ? `Pago · ${formatMoney(charge.amountCents)}` : null);
  return (
    <>
      <ResultHeader
        state={state}
        {...(isPaid && paidSentenceOf(charge))}
        {...(state === 'open' && due !== undefined && { sentence: dueSentenceOf(due) })}
        hasNewPaymentButton={!isPaid}
      />
      <p role="status" className="sr-only">
        {isPaid && `Pago. ${formatMoney(charge.amountCents)} recebidos.`}
        {state === 'expired' && 'O código expirou.'}
      </p>
      <ChargeView
        charge={charge}
        clock={clock}
        isClosed={isClosed}
        createAnother={
          // Another one like it would need another due date.
          due === undefined ? (
            <CreateAnotherButton charge={charge} onCreated={onCreated} />
          ) : (
            <NewPaymentButton variant="primary" />
          )
        }
        afterPaid={
          <>
            <NewPaymentButton variant="primary" isWide />
            {readsCharges && (
              <Link
                to={paths.transactions}
                search={{ id: charge.id }}
                className={buttonClass({ size: 'large' })}
              >
                Ver transação
              </Link>
            )}
            {charge.receiptUrl !== null && (
              <a
                href={charge.receiptUrl}
                target="_blank"
                rel="noopener"
                className={buttonClass({ size: 'large' })}
              >
                Ver comprovante
              </a>
            )}
          </>
        }
        testBankLink={
          <TestBankLink pixCode={charge.content}>Pagar esta cobrança no Banco Sandbox</TestBankLink>
        }
      />
      {isNarrow && !isPaid && (
        <p className="mt-4 flex">
          <NewPaymentButton variant="line" isWide />
        </p>
      )}
    </>
  );
}

/** Creates another charge with the same amount and lifetime. */
function CreateAnotherButton({
  charge,
  onCreated,
}: {
  charge: ChargeWithImage;
  onCreated: (id: string) => void;
}) {
  const createCharge = useCreateCharge();
  const expiresIn = lifetimeOf(charge);
  const createAnother = () =>
    createCharge.mutate(
      { amountCents: charge.amountCents, expiresIn },
      { onSuccess: ({ id }) => onCreated(id || MISSING_CHARGE_ID) },
    );
  return (
    <>
      <Button variant="primary" isSending={createCharge.isPending} onClick={createAnother}>
        Gerar outro
      </Button>
      {createCharge.isError && (
        <p role="alert" className="text-xs font-medium text-error">
          {errorText(createCharge.error, 'Erro ao gerar pagamento PIX.')}
        </p>
      )}
    </>
  );
}

/**
 * The lifetime of a charge in seconds; the default lifetime if the charge's own is unknown or outside the range allowed
 * for new charges.
 */
function lifetimeOf({ createdAt, expiresAt }: ChargeWithImage): number {
  if (createdAt === null || expiresAt === null) return CHARGE_EXPIRY.default;
  const seconds = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000);
  return seconds >= CHARGE_EXPIRY.min && seconds <= CHARGE_EXPIRY.max ? seconds : CHARGE_EXPIRY.default;
}

/** Sets the title of the browser tab while `title` is not null. */
function useTabTitle(title: string | null) {
  useEffect(() => {
    if (title === null) return;
    const previousTitle = document.title;
    document.title = title;
    return () => {
      // The next screen may have set its own title already, which must stay.
      if (document.title === title) document.title = previousTitle;
    };
  }, [title]);
}

function ChargeSkeleton() {
  return (
    <LoadingRegion>
      <Panel flush className="overflow-hidden md:grid md:min-h-156 md:grid-cols-[2fr_3fr]">
        <div className="grid items-center border-base-300 bg-base-200 p-4 max-md:order-last md:border-r md:p-10">
          <Skeleton className="mx-auto aspect-square w-full max-w-[22.875rem]" />
        </div>
        <div className="p-4 md:p-10">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="mt-3 h-9 w-52" />
          <Skeleton className="mt-6 h-12 w-full" />
          <Skeleton className="mt-11 h-20 w-full" />
          <Skeleton className="mt-8 h-40 w-full" />
        </div>
      </Panel>
    </LoadingRegion>
  );
}
