import { CHARGE_EXPIRY } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { moneyChanged, settingsQuery, useCharge } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatMoney } from '../../format/money.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useNow } from '../../panel/use-now.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  LoadingRegion,
  PageHeader,
  Panel,
  Skeleton,
  useNarrow,
} from '../../ui/index.ts';
import { type ChargeWithImage, hasCode, isOpen, withStatus } from './charge.ts';
import { chargeClock } from './charge-clock.ts';
import { ChargeView } from './charge-view.tsx';
import { ADDRESS_WITHOUT_ID, chargeRecordQuery, useCreateCharge } from './use-create-charge.ts';

type ChargeResultProps = { id: string; onCreated: (id: string) => void };

/** The result screen of the charge named by the address. It changes to *Pago* by itself when the money arrives. */
export function ChargeResult({ id, onCreated }: ChargeResultProps) {
  const record = useQuery(chargeRecordQuery(id));
  const [isWatched, setIsWatched] = useState(true);
  const status = useCharge(id, isWatched && id !== ADDRESS_WITHOUT_ID);
  const currentStatus = status.data?.status;
  if (currentStatus !== undefined && isWatched !== isOpen(currentStatus)) setIsWatched(isOpen(currentStatus));

  if (record.data && (status.data || status.isError)) {
    const charge = status.data ? withStatus(record.data, status.data) : record.data;
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
          action={<NewPaymentLink variant="line" />}
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

type ResultHeaderProps = { state?: ResultState; sentence?: string; hasNewPaymentLink?: boolean };

const sentences = {
  open: 'Mostre o QR Code ou envie o código. Esta tela muda sozinha quando o Pix chegar.',
  codeless: 'O banco ainda não confirmou esta cobrança. Abra-a de novo em instantes.',
  over: 'O prazo deste código acabou.',
  paid: 'O dinheiro já está no seu saldo.',
  refunded: 'O dinheiro voltou para quem pagou.',
  cancelled: 'Esta cobrança foi cancelada.',
  error: 'O banco não criou esta cobrança: não há o que pagar.',
  // The charge is not loaded; the page below the header says why.
  unknown: undefined,
};

type ResultState = keyof typeof sentences;

/** For a payment of which a part is held in reserve: withheld for some days before it joins the balance. */
function reserveSentence({ creditedCents, reservedCents }: ChargeWithImage): string {
  const available = formatMoney(creditedCents - reservedCents);
  return `${available} já estão no seu saldo, e ${formatMoney(reservedCents)} na reserva.`;
}

function stateOf(charge: ChargeWithImage, isOver: boolean): ResultState {
  const { status, cancelledAt } = charge;
  if (status === 'paid') return 'paid';
  if (status === 'refunded') return 'refunded';
  if (status === 'error') return 'error';
  if (cancelledAt !== null) return 'cancelled';
  if (isOver) return 'over';
  return hasCode(charge) ? 'open' : 'codeless';
}

function ResultHeader({ state = 'open', sentence, hasNewPaymentLink = false }: ResultHeaderProps) {
  const isNarrow = useNarrow();
  return (
    <PageHeader
      title="Criar Pagamento"
      sentence={sentence ?? sentences[state]}
      // On phones the link is at the bottom of the page instead, so that the code stays above the fold.
      actions={hasNewPaymentLink && !isNarrow ? <NewPaymentLink variant="line" /> : undefined}
    />
  );
}

function NewPaymentLink({ variant, wide = false }: { variant: 'primary' | 'line'; wide?: boolean }) {
  const look = wide ? `${buttonClass({ variant, size: 'large' })} grow` : buttonClass({ variant });
  return (
    <Link to={paths.pixPayment} search={{}} className={look}>
      <Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
      Novo Pagamento
    </Link>
  );
}

function LoadedCharge({ charge, onCreated }: { charge: ChargeWithImage; onCreated: (id: string) => void }) {
  const isNarrow = useNarrow();
  const isPending = charge.status === 'pending';
  const isPaid = charge.status === 'paid';
  const clock = chargeClock(charge, useNow(isPending));
  const isOver = !isPaid && (!isPending || (clock?.isOver ?? false));
  const state = stateOf(charge, isOver);
  const [initialStatus] = useState(charge.status);
  const wasPaidNow = isPaid && isOpen(initialStatus);
  // Refetches balance and lists, whether the live channel or a poll reported the payment.
  useEffect(() => {
    if (wasPaidNow) void moneyChanged();
  }, [wasPaidNow]);
  useTabTitle(isPaid ? `Pago · ${formatMoney(charge.amountCents)}` : null);
  return (
    <>
      <ResultHeader
        state={state}
        {...(isPaid && charge.reservedCents > 0 && { sentence: reserveSentence(charge) })}
        hasNewPaymentLink={!isPaid}
      />
      <p role="status" className="sr-only">
        {isPaid && `Pago. ${formatMoney(charge.amountCents)} recebidos.`}
        {state === 'over' && 'O código expirou.'}
      </p>
      <ChargeView
        charge={charge}
        clock={clock}
        isOver={isOver}
        createAnother={<CreateAnother charge={charge} onCreated={onCreated} />}
        afterPaid={
          <>
            <NewPaymentLink variant="primary" wide />
            <Link
              to={paths.transactions}
              search={{ id: charge.id }}
              className={buttonClass({ size: 'large' })}
            >
              Ver transação
            </Link>
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
        payLink={<PayLink content={charge.content} />}
      />
      {isNarrow && !isPaid && (
        <p className="mt-4 flex">
          <NewPaymentLink variant="line" wide />
        </p>
      )}
    </>
  );
}

/** Creates another charge of the same amount and lifetime. */
function CreateAnother({ charge, onCreated }: { charge: ChargeWithImage; onCreated: (id: string) => void }) {
  const create = useCreateCharge();
  const expiresIn = lifetimeOf(charge);
  const createAnother = () =>
    create.mutate(
      { amountCents: charge.amountCents, expiresIn },
      { onSuccess: ({ id }) => onCreated(id || ADDRESS_WITHOUT_ID) },
    );
  return (
    <>
      <Button variant="primary" isSending={create.isPending} onClick={createAnother}>
        Gerar outro
      </Button>
      {create.isError && (
        <p role="alert" className="text-xs font-medium text-error">
          {errorText(create.error, 'Erro ao gerar pagamento PIX.')}
        </p>
      )}
    </>
  );
}

/** The lifetime of a charge in seconds; the default when it is unknown or not one that a new charge may have. */
function lifetimeOf({ createdAt, expiresAt }: ChargeWithImage): number {
  if (createdAt === null || expiresAt === null) return CHARGE_EXPIRY.default;
  const seconds = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000);
  return seconds >= CHARGE_EXPIRY.min && seconds <= CHARGE_EXPIRY.max ? seconds : CHARGE_EXPIRY.default;
}

/** In the sandbox, links to the test bank with the code already pasted. */
function PayLink({ content }: { content: string }) {
  const bankUrl = useQuery(settingsQuery).data?.bankUrl;
  if (bankUrl == null || content === '') return null;
  return (
    <a
      className="link"
      href={`${bankUrl}/?codigo=${encodeURIComponent(content)}`}
      target="_blank"
      rel="noopener"
    >
      Pagar esta cobrança no Banco Sandbox
    </a>
  );
}

/** Sets the title of the browser tab while `title` is not null. */
function useTabTitle(title: string | null) {
  useEffect(() => {
    if (title === null) return;
    const before = document.title;
    document.title = title;
    return () => {
      // The next screen may have set its own title already.
      if (document.title === title) document.title = before;
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
