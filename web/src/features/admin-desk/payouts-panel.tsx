import type { adminPayouts } from '@jangada/contract';
import { adminResumePayouts, adminStopPayouts, type ResponseOf } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { OctagonX, Play } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { payoutsQuery } from '../../api/queries.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
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
import { centsOrNull } from './desk-queries.ts';
import { warningSentence } from './health-words.ts';
import { ReasonDialog } from './reason-dialog.tsx';

type Payouts = ResponseOf<typeof adminPayouts>;

const POLL_MS = 10_000;

/** Whether payouts are running, the button that stops or resumes all payouts, and the balance of the bank account. */
export function PayoutsPanel() {
  const payouts = useQuery({ ...payoutsQuery, refetchInterval: POLL_MS });
  const [isDialogOpen, setDialogOpen] = useState(false);
  const { data } = payouts;
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
            variant={data.stopped_because === null ? 'danger' : 'primary'}
            className="max-md:w-full"
            icon={
              data.stopped_because === null ? (
                <OctagonX className="size-4" strokeWidth={1.75} aria-hidden="true" />
              ) : (
                <Play className="size-4" strokeWidth={1.75} aria-hidden="true" />
              )
            }
            onClick={() => setDialogOpen(true)}
          >
            {data.stopped_because === null ? 'Parar envios' : 'Retomar envios'}
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
        (data.stopped_because === null ? (
          <StopDialog onClose={() => setDialogOpen(false)} />
        ) : (
          <ResumeDialog stopReason={data.stopped_because} onClose={() => setDialogOpen(false)} />
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

const REASON_MAX_LENGTH = 300;
const reasonField = { label: 'Motivo', maxLength: REASON_MAX_LENGTH, tooShortError: 'Informe o motivo.' };

function StopDialog({ onClose }: { onClose: () => void }) {
  return (
    <ReasonDialog
      {...reasonField}
      title="Parar envios?"
      minLength={1}
      submitLabel="Parar envios"
      danger
      onSend={(text) => call(adminStopPayouts, { body: { reason: text } })}
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
      {...reasonField}
      title="Retomar envios?"
      minLength={1}
      label="O que foi conferido"
      submitLabel="Retomar envios"
      onSend={(text) => call(adminResumePayouts, { body: { reason: text } })}
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
