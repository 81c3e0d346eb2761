import type { adminPayouts } from '@jangada/contract';
import { adminResumePayouts, adminStopPayouts, type ResponseOf } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { OctagonX, Play } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { approvedReason } from '../../panel/approvals/approved-order.ts';
import { payoutsQuery } from '../../panel/operation/payouts-query.ts';
import {
  Button,
  classNames,
  FigureCell,
  Glyph,
  type GlyphName,
  Notice,
  Panel,
  Skeleton,
  SkeletonText,
} from '../../ui/index.ts';
import { centsOrNull } from './admin-queries.ts';
import { warningSentence } from './health-words.ts';
import { ReasonDialog } from './reason-dialog.tsx';

type Payouts = ResponseOf<typeof adminPayouts>;

const POLL_MS = 10_000;

/**
 * Whether payouts, the Pix that the gateway sends for withdrawals and refunds, are running; the button that stops or
 * resumes all of them; and the balance of the bank account.
 */
export function PayoutsPanel() {
  const payouts = useQuery({ ...payoutsQuery, refetchInterval: POLL_MS });
  const [isDialogOpen, setDialogOpen] = useState(false);
  const { data } = payouts;
  /** Why payouts are stopped; null while they are not, and while loading. */
  const stopReason = data?.stopped_because ?? null;
  const isStopped = stopReason !== null;
  if (data === undefined && payouts.isError) {
    return (
      <Notice
        tone="error"
        className="mb-6"
        action={
          <Button size="small" isSending={payouts.isFetching} onClick={() => payouts.refetch()}>
            Tentar Novamente
          </Button>
        }
      >
        {errorText(payouts.error, 'Erro ao buscar o estado dos envios.')}
      </Notice>
    );
  }
  return (
    <Panel flush className="mb-6" label="Envios ao banco">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 p-4 md:p-5">
        <div className="min-w-0 grow basis-64">
          <p className="text-xs font-medium text-muted">Envios ao banco</p>
          {data === undefined ? (
            <Skeleton className="mt-2 mb-1 h-11 w-64" />
          ) : (
            <PayoutsState payouts={data} />
          )}
        </div>
        {data !== undefined && (
          <Button
            variant={isStopped ? 'primary' : 'danger'}
            className="max-md:w-full"
            icon={
              isStopped ? (
                <Play className="size-4" strokeWidth={1.75} aria-hidden="true" />
              ) : (
                <OctagonX className="size-4" strokeWidth={1.75} aria-hidden="true" />
              )
            }
            onClick={() => setDialogOpen(true)}
          >
            {isStopped ? 'Retomar envios' : 'Parar envios'}
          </Button>
        )}
      </div>
      <div
        className={classNames(
          'grid divide-base-300 border-t border-base-300 *:border-base-300',
          'max-md:divide-y md:grid-cols-2 lg:grid-cols-4 lg:divide-x md:max-lg:*:nth-[n+3]:border-t md:max-lg:*:odd:border-r',
        )}
      >
        {figuresOf(data).map(({ label, figure, context }) => (
          <FigureCell key={label} row label={label} figure={figure} context={context} />
        ))}
      </div>
      {isDialogOpen &&
        data !== undefined &&
        (isStopped ? (
          <ResumeDialog stopReason={stopReason} onClose={() => setDialogOpen(false)} />
        ) : (
          <StopDialog onClose={() => setDialogOpen(false)} />
        ))}
    </Panel>
  );
}

function PayoutsState({ payouts }: { payouts: Payouts }) {
  const { glyph, label, explanation } = stateOf(payouts);
  return (
    <div aria-live="polite">
      <p className="mt-0.5 flex items-center gap-2 text-lg font-strong">
        <Glyph name={glyph} className="size-4.5" />
        {label}
      </p>
      <p className="mt-1 wrap-anywhere text-muted">{explanation}</p>
    </div>
  );
}

/** `bank_in_doubt` is true while the balance at the bank is unknown. No payout is sent until the bank reports it. */
function stateOf({ stopped_because, bank_in_doubt }: Payouts): {
  glyph: GlyphName;
  label: string;
  explanation: string;
} {
  if (stopped_because !== null)
    return { glyph: 'failed', label: 'Parados', explanation: `Motivo: ${stopped_because}` };
  if (bank_in_doubt)
    return { glyph: 'waiting', label: 'Esperando', explanation: warningSentence('bank-balance-unknown') };
  return {
    glyph: 'done',
    label: 'Saindo',
    explanation: 'Cada saque e estorno sai assim que chega a sua vez.',
  };
}

function figuresOf(data: Payouts | undefined) {
  const figureSkeleton = <SkeletonText line="h-6 md:h-7" className="h-5 w-28" />;
  const contextSkeleton = <SkeletonText line="h-4" className="h-3 w-24" />;
  return [
    {
      label: 'Na fila',
      figure: data ? formatCount(data.waiting) : figureSkeleton,
      context: data ? 'esperam para sair' : contextSkeleton,
    },
    {
      label: 'Em dúvida',
      figure: data ? formatCount(data.in_doubt) : figureSkeleton,
      context: data ? 'o banco não disse o desfecho' : contextSkeleton,
    },
    {
      label: 'Saldo no banco',
      figure: data ? formatMoney(centsOrNull(data.bank_balance)) : figureSkeleton,
      context: data ? balanceReadText(data) : contextSkeleton,
    },
    {
      label: 'Dinheiro dos lojistas',
      figure: data ? formatMoney(centsOrNull(data.needed)) : figureSkeleton,
      context: data ? 'precisa estar na conta' : contextSkeleton,
    },
  ];
}

/** When the balance of the bank account was read, or since when it could not be read. */
function balanceReadText({ read_at, bank_in_doubt }: Payouts): string {
  if (read_at === null) return 'ainda não lido';
  return `${bank_in_doubt ? 'não lido desde' : 'lido em'} ${formatDateTime(read_at)}`;
}

/** The properties that the two dialogs share. */
const reasonProps = { label: 'Motivo', minLength: 1, maxLength: 300, tooShortError: 'Informe o motivo.' };

function StopDialog({ onClose }: { onClose: () => void }) {
  return (
    <ReasonDialog
      {...reasonProps}
      title="Parar envios?"
      submitLabel="Parar envios"
      danger
      onSend={(reason) => call(adminStopPayouts, { body: { reason } })}
      successMessage="Envios parados."
      failure="Erro ao parar os envios. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        Nenhum saque ou estorno sai mais, nem o que já está na fila. O que já foi entregue ao banco segue
        sendo acompanhado. Lojistas veem que os saques estão suspensos.
      </p>
    </ReasonDialog>
  );
}

function ResumeDialog({ stopReason, onClose }: { stopReason: string; onClose: () => void }) {
  return (
    <ReasonDialog
      {...reasonProps}
      title="Retomar envios?"
      label="O que foi conferido"
      submitLabel="Retomar envios"
      initialText={approvedReason('payouts')}
      onSend={(reason) => call(adminResumePayouts, { body: { reason } })}
      successMessage="Envios retomados."
      failure="Erro ao retomar os envios. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        Parados por: <span className="wrap-anywhere text-base-content">{stopReason}</span>. Antes de voltar a
        enviar, o gateway confere o saldo no banco e a lista do que saiu.
      </p>
    </ReasonDialog>
  );
}
