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
import { warningWords } from './health-words.ts';
import { ReasonDialog } from './reason-dialog.tsx';

type Payouts = ResponseOf<typeof adminPayouts>;

const POLL_MS = 10_000;

/** Whether payouts are running, with the switch that stops them, and the balance of the bank's account. */
export function PayoutsPanel() {
  const payouts = useQuery({ ...payoutsQuery, refetchInterval: POLL_MS });
  const [asking, setAsking] = useState(false);
  const { data } = payouts;
  if (data === undefined && payouts.isError) {
    return (
      <Notice
        tone="error"
        className="mb-6"
        action={
          <Button size="small" sending={payouts.isFetching} onClick={() => payouts.refetch()}>
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
          {data === undefined ? <Skeleton className="mt-2 mb-1 h-11 w-64" /> : <State payouts={data} />}
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
            onClick={() => setAsking(true)}
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
        {cellsOf(data).map(({ label, figure, context }) => (
          <FigureCell key={label} row label={label} figure={figure} context={context} />
        ))}
      </div>
      {asking &&
        data !== undefined &&
        (data.stopped_because === null ? (
          <StopDialog onClose={() => setAsking(false)} />
        ) : (
          <ResumeDialog because={data.stopped_because} onClose={() => setAsking(false)} />
        ))}
    </Panel>
  );
}

function State({ payouts }: { payouts: Payouts }) {
  const { glyph, word, why } = stateOf(payouts);
  return (
    <div aria-live="polite">
      <p className="mt-0.5 flex items-center gap-2 text-lg font-strong">
        <Glyph name={glyph} className="size-4.5" />
        {word}
      </p>
      <p className="mt-1 wrap-anywhere text-muted">{why}</p>
    </div>
  );
}

function stateOf({ stopped_because, bank_in_doubt }: Payouts): {
  glyph: GlyphName;
  word: string;
  why: string;
} {
  if (stopped_because !== null)
    return { glyph: 'failed', word: 'Parados', why: `Motivo: ${stopped_because}` };
  if (bank_in_doubt)
    return { glyph: 'waiting', word: 'Esperando', why: warningWords('bank-balance-unknown') };
  return { glyph: 'done', word: 'Saindo', why: 'Cada saque e estorno sai assim que chega a sua vez.' };
}

function cellsOf(data: Payouts | undefined) {
  const bar = <SkeletonText line="h-6 md:h-7" className="h-5 w-28" />;
  const line = <SkeletonText line="h-4" className="h-3 w-24" />;
  const read =
    data &&
    (data.read_at === null
      ? 'ainda não lido'
      : `${data.bank_in_doubt ? 'não lido desde' : 'lido em'} ${formatDateTime(data.read_at)}`);
  return [
    {
      label: 'Na fila',
      figure: data ? formatCount(data.waiting) : bar,
      context: data ? 'esperam para sair' : line,
    },
    {
      label: 'Em dúvida',
      figure: data ? formatCount(data.in_doubt) : bar,
      context: data ? 'o banco não disse o desfecho' : line,
    },
    {
      label: 'Saldo no banco',
      figure: data ? formatMoney(centsOrNull(data.bank_balance)) : bar,
      context: read ?? line,
    },
    {
      label: 'Dinheiro dos lojistas',
      figure: data ? formatMoney(centsOrNull(data.needed)) : bar,
      context: data ? 'precisa estar na conta' : line,
    },
  ];
}

const MOST = 300;
const reason = { label: 'Motivo', most: MOST, missing: 'Informe o motivo.' };

function StopDialog({ onClose }: { onClose: () => void }) {
  return (
    <ReasonDialog
      {...reason}
      title="Parar envios?"
      least={1}
      action="Parar envios"
      grave
      onSend={(text) => call(adminStopPayouts, { body: { reason: text } })}
      done="Envios parados."
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

function ResumeDialog({ because, onClose }: { because: string; onClose: () => void }) {
  return (
    <ReasonDialog
      {...reason}
      title="Retomar envios?"
      least={1}
      label="O que foi conferido"
      action="Retomar envios"
      onSend={(text) => call(adminResumePayouts, { body: { reason: text } })}
      done="Envios retomados."
      failure="Erro ao retomar os envios. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        Parados por: <span className="wrap-anywhere text-base-content">{because}</span>. Antes de voltar a
        enviar, o gateway confere o saldo no banco e a lista do que saiu.
      </p>
    </ReasonDialog>
  );
}
