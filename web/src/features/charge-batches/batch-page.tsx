import type { ChargeBatch } from '@jangada/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useMay } from '../../session/account.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  FigureCell,
  type GlyphName,
  LoadingRegion,
  PageHeader,
  Panel,
  ShareBar,
  Skeleton,
  toast,
  toastError,
  useAnnouncement,
} from '../../ui/index.ts';
import { BatchLines } from './batch-lines.tsx';
import { batchName } from './batch-words.tsx';
import { cancelWaiting, saveResult, useBatch } from './batches-queries.ts';

/** One batch: how far it is, what became of its lines, and the file with the result. */
export function BatchPage({ id, state }: { id: string; state: string | undefined }) {
  const query = useBatch(id);
  const isNotFound = query.error instanceof ApiError && query.error.status === 404;
  const content = () => {
    if (query.data !== undefined) return <Batch batch={query.data} state={state} />;
    if (isNotFound)
      return (
        <EmptyState drawing="no-result" title="Lote não encontrado">
          Nenhum lote da sua conta tem este endereço.
        </EmptyState>
      );
    if (query.isError)
      return (
        <LoadFailure
          query={query}
          title="Erro ao buscar o lote"
          reassurance="As cobranças continuam sendo criadas."
        />
      );
    return (
      <LoadingRegion>
        <Skeleton className="h-30 w-full" />
        <Skeleton className="mt-5 h-52 w-full" />
      </LoadingRegion>
    );
  };
  return (
    <>
      <PageHeader
        title={query.data === undefined ? 'Lote' : batchName(query.data)}
        sentence={
          query.data === undefined
            ? 'O que foi feito de cada linha.'
            : `Lote confirmado em ${formatDateAtTime(query.data.created_at)}.`
        }
        actions={
          <Link to={paths.dueCharges} search={{ tab: 'batches' }} className={buttonClass()}>
            Todos os lotes
          </Link>
        }
      />
      {content()}
    </>
  );
}

function Batch({ batch, state }: { batch: ChargeBatch; state: string | undefined }) {
  const { status, size, waiting, created, refused, cancelled } = batch;
  const isWorking = status === 'working';
  const [wasWorking] = useState(isWorking);
  useAnnouncement(
    wasWorking && !isWorking ? `Lote concluído: ${formatCount(created)} cobranças criadas` : undefined,
  );
  const figures: readonly { label: string; glyph: GlyphName; count: number }[] = [
    { label: 'Criadas', glyph: 'done', count: created },
    { label: 'Recusadas', glyph: 'failed', count: refused },
    isWorking || cancelled === 0
      ? { label: 'Em espera', glyph: 'waiting', count: waiting }
      : { label: 'Canceladas', glyph: 'gone', count: cancelled },
  ];
  return (
    <>
      <Panel flush className="mb-5" label="Andamento">
        <div className="p-4 md:p-5">
          <p className="text-base font-strong tabular-nums">
            {isWorking
              ? `${formatCount(size - waiting)} de ${formatCount(size)} linhas prontas`
              : `Concluído: ${formatCount(size)} ${size === 1 ? 'linha' : 'linhas'}`}
          </p>
          <ShareBar
            share={size === 0 ? 1 : (size - waiting) / size}
            className={`mt-3 ${isWorking ? 'text-primary-glyph' : 'text-success-glyph'}`}
          />
          {isWorking && (
            <p className="mt-3 text-muted">Você pode sair desta página: as cobranças seguem sendo criadas.</p>
          )}
        </div>
        <div className="grid divide-base-300 border-t border-base-300 max-md:divide-y md:grid-cols-3 md:divide-x">
          {figures.map(({ label, glyph, count }) => (
            <FigureCell key={label} row label={label} glyph={glyph} figure={formatCount(count)} />
          ))}
        </div>
      </Panel>
      <div className="mb-8 flex flex-wrap gap-2">
        <ResultButton batch={batch} />
        {isWorking && <CancelButton batch={batch} />}
      </div>
      <BatchLines batch={batch} state={state} />
    </>
  );
}

function ResultButton({ batch }: { batch: ChargeBatch }) {
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    try {
      await saveResult(batch);
    } catch (error) {
      toastError(errorText(error, 'Não foi possível baixar o resultado. Tente novamente.'));
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Button
      variant={batch.status === 'working' ? 'line' : 'primary'}
      isSending={isSaving}
      sendingLabel="Baixando"
      icon={<Download className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={save}
    >
      Baixar resultado (CSV)
    </Button>
  );
}

function CancelButton({ batch }: { batch: ChargeBatch }) {
  const mayManage = useMay('manage-charges');
  const [isAsking, setIsAsking] = useState(false);
  if (!mayManage) return null;
  return (
    <>
      <Button variant="danger" onClick={() => setIsAsking(true)}>
        Cancelar o que espera
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Cancelar o que ainda espera?"
        confirm="Cancelar o resto"
        failure="Erro ao cancelar. Tente novamente."
        onConfirm={async () => {
          await cancelWaiting(batch.id);
          toast('O resto foi cancelado');
        }}
      >
        As linhas que ainda esperam não viram cobranças. As {formatCount(batch.created)} já criadas continuam
        valendo.
      </ConfirmDialog>
    </>
  );
}
