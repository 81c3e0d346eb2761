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
import { chargeRecordQuery, NAMELESS, useCreateCharge } from './use-create-charge.ts';

type ChargeResultProps = { id: string; onCreated: (id: string) => void };

/** The charge named by the address. It changes to *Pago* by itself. */
export function ChargeResult({ id, onCreated }: ChargeResultProps) {
  const record = useQuery(chargeRecordQuery(id));
  const [watched, setWatched] = useState(true);
  const status = useCharge(id, watched && id !== NAMELESS);
  const known = status.data?.status;
  if (known !== undefined && watched !== isOpen(known)) setWatched(isOpen(known));

  if (record.data && (status.data || status.isError)) {
    const charge = status.data ? withStatus(record.data, status.data) : record.data;
    return <LoadedCharge charge={charge} onCreated={onCreated} />;
  }
  if (record.data === undefined && record.isError)
    return (
      <>
        <ResultHeader state="unknown" />
        <LoadFailure of={record} title="Erro ao buscar o pagamento" />
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

type ResultHeaderProps = { state?: keyof typeof sentences; sentence?: string; action?: boolean };

const sentences = {
  open: 'Mostre o QR Code ou envie o código. Esta tela muda sozinha quando o Pix chegar.',
  codeless: 'O banco ainda não confirmou esta cobrança. Abra-a de novo em instantes.',
  over: 'O prazo deste código acabou.',
  paid: 'O dinheiro já está no seu saldo.',
  refunded: 'O dinheiro voltou para quem pagou.',
  cancelled: 'Esta cobrança foi cancelada.',
  error: 'O banco não criou esta cobrança: não há o que pagar.',
  // Nothing is known of it; the page itself says why.
  unknown: undefined,
};

function reserveSentence({ creditedCents, reservedCents }: ChargeWithImage): string {
  const [free, kept] = [creditedCents - reservedCents, reservedCents].map(formatMoney);
  return `${free} já estão no seu saldo, e ${kept} na reserva.`;
}

function stateOf(charge: ChargeWithImage, over: boolean): keyof typeof sentences {
  const { status, cancelledAt } = charge;
  if (status === 'paid') return 'paid';
  if (status === 'refunded') return 'refunded';
  if (status === 'error') return 'error';
  if (cancelledAt !== null) return 'cancelled';
  if (over) return 'over';
  return hasCode(charge) ? 'open' : 'codeless';
}

function ResultHeader({ state = 'open', sentence, action = false }: ResultHeaderProps) {
  const narrow = useNarrow();
  return (
    <PageHeader
      title="Criar Pagamento"
      sentence={sentence ?? sentences[state]}
      // On phones the code stays above the fold, and the link is at the bottom.
      actions={action && !narrow ? <NewPaymentLink variant="line" /> : undefined}
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
  const narrow = useNarrow();
  const pending = charge.status === 'pending';
  const clock = chargeClock(charge, useNow(pending));
  const over = charge.status !== 'paid' && (!pending || (clock?.over ?? false));
  const paid = charge.status === 'paid';
  const state = stateOf(charge, over);
  const [opened] = useState(charge.status);
  const arrived = paid && isOpen(opened);
  // Refetches balance and lists, whether the live channel or a poll reported the payment.
  useEffect(() => {
    if (arrived) void moneyChanged();
  }, [arrived]);
  useTabTitle(paid ? `Pago · ${formatMoney(charge.amountCents)}` : null);
  return (
    <>
      <ResultHeader
        state={state}
        {...(paid && charge.reservedCents > 0 && { sentence: reserveSentence(charge) })}
        action={!paid}
      />
      <p role="status" className="sr-only">
        {paid
          ? `Pago. ${formatMoney(charge.amountCents)} recebidos.`
          : state === 'over'
            ? 'O código expirou.'
            : ''}
      </p>
      <ChargeView
        charge={charge}
        clock={clock}
        over={over}
        another={<Another charge={charge} onCreated={onCreated} />}
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
      {narrow && !paid && (
        <p className="mt-4 flex">
          <NewPaymentLink variant="line" wide />
        </p>
      )}
    </>
  );
}

/** Creates another charge of the same amount and lifetime. */
function Another({ charge, onCreated }: { charge: ChargeWithImage; onCreated: (id: string) => void }) {
  const create = useCreateCharge();
  const expiresIn = lifetimeOf(charge);
  const again = () =>
    create.mutate(
      { amountCents: charge.amountCents, expiresIn },
      { onSuccess: ({ id }) => onCreated(id || NAMELESS) },
    );
  return (
    <>
      <Button variant="primary" sending={create.isPending} onClick={again}>
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

function lifetimeOf({ createdAt, expiresAt }: ChargeWithImage): number {
  const seconds =
    createdAt === null || expiresAt === null
      ? Number.NaN
      : Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000);
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

/** Sets the tab's title while there is one to set. */
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

/** The skeleton of a charge. */
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
