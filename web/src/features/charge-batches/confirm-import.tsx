import type { ChargeBatch } from '@jangada/contract';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { isInDoubt } from '../../api/intents.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { Button, Dialog, Notice, TextField, toast } from '../../ui/index.ts';
import { confirmBatch } from './batches-queries.ts';
import { type CheckedRow, sumCentsOf } from './check-batch-rows.ts';
import { type RefusedLine, refusedLinesOf } from './refused-lines.ts';

const REFERENCE_MAX_LENGTH = 100;

type ConfirmImportProps = {
  fileName: string;
  /** The rows without a fault. */
  ready: readonly CheckedRow[];
  /** How many rows are left out. */
  leftOut: number;
  onRefused: (message: string, lines: readonly RefusedLine[]) => void;
  onClose: () => void;
  onCreated: (batch: ChargeBatch) => void;
};

/** The one confirmation. Whoever has confirmed the same charges before is led to that batch instead. */
export function ConfirmImport(props: ConfirmImportProps) {
  const { fileName, ready, leftOut, onRefused, onClose, onCreated } = props;
  const [reference, setReference] = useState(fileName.slice(0, REFERENCE_MAX_LENGTH));
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const [old, setOld] = useState<ChargeBatch>();
  const [isKnown, setIsKnown] = useState(false);
  const send = async (isWantedAgain: boolean) => {
    setProblem(undefined);
    setIsSending(true);
    const items = ready.flatMap(({ request }) => (request === undefined ? [] : [request]));
    try {
      const { batch, isOld } = await confirmBatch({ reference: reference.trim(), items }, isWantedAgain);
      if (isOld && !isWantedAgain) return setOld(batch);
      toast('Lote confirmado');
      onCreated(batch);
    } catch (error) {
      const lines = refusedLinesOf(error);
      if (lines.length > 0) onRefused(refusalText(error), lines);
      else setProblem(problemOf(error));
      setIsKnown(isConfirmedBefore(error));
    } finally {
      setIsSending(false);
    }
  };
  const amount = formatMoney(sumCentsOf(ready));
  const againButton = (
    <Button variant="danger" disabled={isSending} onClick={() => send(true)}>
      Criar tudo de novo
    </Button>
  );
  const count = ready.length === 1 ? '1 cobrança' : `${formatCount(ready.length)} cobranças`;
  if (old !== undefined)
    return (
      <Dialog
        open
        onClose={onClose}
        title="Este arquivo já foi confirmado"
        size="small"
        locked={isSending}
        footerStart={againButton}
        footer={
          <Button data-autofocus variant="primary" disabled={isSending} onClick={() => onCreated(old)}>
            Abrir o lote
          </Button>
        }
      >
        {problem !== undefined && (
          <Notice tone="error" className="mb-4">
            {problem}
          </Notice>
        )}
        <p className="text-muted">
          Em {formatDateAtTime(old.created_at)}
          {old.reference !== null && (
            <>
              , como <bdi>“{old.reference}”</bdi>
            </>
          )}
          . Nada foi criado agora: as cobranças são as daquele lote.
        </p>
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Criar ${count}?`}
      size="small"
      locked={isSending}
      footerStart={isKnown ? againButton : undefined}
      footer={
        <>
          <Button disabled={isSending} onClick={onClose}>
            Voltar
          </Button>
          <Button variant="primary" isSending={isSending} onClick={() => send(false)}>
            Criar {count}
          </Button>
        </>
      }
    >
      {problem !== undefined && (
        <Notice tone="error" className="mb-4">
          {problem}
        </Notice>
      )}
      <p>
        São <strong className="font-strong tabular-nums">{amount}</strong> ao todo. Cada cobrança ganha um
        link e um código, que você baixa no fim.
      </p>
      {leftOut > 0 && (
        <p className="mt-2 text-muted">
          {leftOut === 1
            ? 'A linha com problema fica de fora. Se a corrigir, importe depois só ela.'
            : `As ${formatCount(leftOut)} linhas com problema ficam de fora. Depois, importe só as que você corrigir.`}
        </p>
      )}
      <div className="mt-5">
        <TextField
          data-autofocus
          label="Nome do lote"
          hint="Para você achar o lote depois."
          autoComplete="off"
          maxLength={REFERENCE_MAX_LENGTH}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  );
}

/** Why the whole batch was refused for some of its lines. */
const refusalText = (error: unknown) =>
  error instanceof ApiError && error.code === 'ALREADY_CHARGED'
    ? 'Há linhas que já foram cobradas: veja quais, e siga com as outras. Para cobrar de novo, mude no arquivo o código ou a descrição.'
    : 'Há linhas que não podem ser cobradas assim. Veja quais.';

/** True if these charges were confirmed before, under another name of the batch. */
const isConfirmedBefore = (error: unknown) =>
  error instanceof ApiError && error.code === 'IDEMPOTENCY_CONFLICT';

function problemOf(error: unknown): string {
  if (isConfirmedBefore(error))
    return 'Este arquivo já foi confirmado com outro nome de lote. Procure-o em Todos os lotes.';
  return isInDoubt(error)
    ? 'Não sabemos se o lote foi criado. Tente de novo: as mesmas cobranças não são criadas duas vezes.'
    : errorText(error, 'Erro ao criar o lote. Tente novamente.');
}
