import type { ChargeBatch } from '@jangada/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { csvFileOf } from '../../panel/csv/csv-file.ts';
import { FileButton } from '../../panel/csv/file-button.tsx';
import { saveFile } from '../../panel/save-file.ts';
import { Button, FigureCell, Notice, Panel, SegmentedControl, toastError } from '../../ui/index.ts';
import { type CheckedRow, faultyTable, sumCentsOf } from './check-batch-rows.ts';
import { ConfirmImport } from './confirm-import.tsx';
import { PreviewTable } from './preview-table.tsx';
import type { BatchFile } from './read-batch-file.ts';
import { type RefusedLine, withRefusedLines } from './refused-lines.ts';

type ImportPreviewProps = {
  file: BatchFile;
  rows: readonly CheckedRow[];
  onChoose: (file: File) => void;
  onCreated: (batch: ChargeBatch) => void;
};

/** Shows what the file would create, line by line, and what is wrong in which of them, before anything is created. */
export function ImportPreview({ file, rows: checkedRows, onChoose, onCreated }: ImportPreviewProps) {
  const [rows, setRows] = useState(checkedRows);
  const [isConfirming, setIsConfirming] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const ready = rows.filter(({ request }) => request !== undefined);
  const faulty = rows.filter(({ faults }) => faults.length > 0);
  const [shown, setShown] = useState<'all' | 'faulty'>(faulty.length > 0 ? 'faulty' : 'all');
  const refuse = (message: string, lines: readonly RefusedLine[]) => {
    setIsConfirming(false);
    setRefusal(message);
    setRows((before) => withRefusedLines(before, lines));
    if (lines.length > 0) setShown('faulty');
  };
  return (
    <>
      <Panel flush className="mb-5" label="Resumo do arquivo">
        <div className="grid divide-base-300 max-md:divide-y md:grid-cols-3 md:divide-x">
          <FigureCell
            row
            label="Prontas"
            glyph="done"
            figure={formatCount(ready.length)}
            context={formatMoney(sumCentsOf(ready))}
          />
          <FigureCell
            row
            label="Com problema"
            glyph="failed"
            figure={formatCount(faulty.length)}
            context={faulty.length === 0 ? 'Nenhuma' : 'Ficam de fora, se você seguir'}
          />
          <FigureCell
            row
            label="No arquivo"
            figure={formatCount(rows.length)}
            context={<bdi>{file.name}</bdi>}
          />
        </div>
      </Panel>
      <Problems file={file} refusal={refusal} hasReady={ready.length > 0} />
      <div className="mb-4 flex flex-wrap items-center gap-2">
        {ready.length > 0 && (
          <Button variant="primary" onClick={() => setIsConfirming(true)}>
            Criar {chargesText(ready.length)}
          </Button>
        )}
        <FileButton onFile={onChoose} />
        {faulty.length > 0 && <FaultyRowsButton name={file.name} rows={faulty} />}
      </div>
      {faulty.length > 0 && (
        <SegmentedControl
          label="Linhas"
          className="mb-3"
          segments={[
            { value: 'faulty', label: 'Com problema', count: formatCount(faulty.length) },
            { value: 'all', label: 'Todas', count: formatCount(rows.length) },
          ]}
          value={shown}
          onChange={setShown}
        />
      )}
      <PreviewTable key={shown} rows={shown === 'faulty' && faulty.length > 0 ? faulty : rows} />
      {isConfirming && (
        <ConfirmImport
          fileName={file.name}
          ready={ready}
          leftOut={faulty.length}
          onRefused={refuse}
          onClose={() => setIsConfirming(false)}
          onCreated={onCreated}
        />
      )}
    </>
  );
}

const chargesText = (count: number) => (count === 1 ? '1 cobrança' : `${formatCount(count)} cobranças`);

type ProblemsProps = { file: BatchFile; refusal: string | undefined; hasReady: boolean };

/** At most one notice: what the server refused, that no line is ready, or which columns are ignored. */
function Problems({ file: { unknownHeads }, refusal, hasReady }: ProblemsProps) {
  if (refusal !== undefined)
    return (
      <Notice tone="error" title="Nada foi criado." className="mb-5">
        {refusal}
      </Notice>
    );
  if (!hasReady)
    return (
      <Notice tone="warning" title="Nenhuma linha está pronta." className="mb-5">
        Corrija o arquivo e escolha-o de novo.
      </Notice>
    );
  if (unknownHeads.length === 0) return null;
  return (
    <Notice tone="info" title="Nem toda coluna entra." className="mb-5">
      {unknownHeads.length === 1 ? 'Não usamos a coluna' : 'Não usamos as colunas'}{' '}
      {unknownHeads.map((head) => `“${head}”`).join(', ')}.
    </Notice>
  );
}

function FaultyRowsButton({ name, rows }: { name: string; rows: readonly CheckedRow[] }) {
  const save = async () => {
    try {
      saveFile(await csvFileOf(faultyTable(rows)), `${name}-corrigir.csv`);
    } catch (error) {
      toastError(errorText(error, 'Não foi possível baixar o arquivo. Tente novamente.'));
    }
  };
  return (
    <Button icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />} onClick={save}>
      Baixar as linhas com problema
    </Button>
  );
}
