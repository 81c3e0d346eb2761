import { centsFromBrl } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { settingsQuery, taxesQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { dayOf } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Link, useNavigate } from '../../navigation/index.ts';
import { ColumnGuide } from '../../panel/csv/column-guide.tsx';
import { CsvFileError } from '../../panel/csv/csv-file.ts';
import { FileField } from '../../panel/csv/file-field.tsx';
import { NotApproved } from '../../panel/not-approved.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, EmptyState, PageHeader, Panel, ShareBar } from '../../ui/index.ts';
import { batchColumnNames, batchColumns, templateRows } from './batch-columns.ts';
import { type CheckedRow, checkBatchRows } from './check-batch-rows.ts';
import { ImportPreview } from './import-preview.tsx';
import { type BatchFile, readBatchFile } from './read-batch-file.ts';

/** Creates many charges from a file: it is chosen, each line is checked and shown, and one confirmation sends it. */
export function ImportPage() {
  const isApproved = useSession(isAccountApproved);
  const mayCreate = useMay('manage-charges');
  return (
    <>
      <PageHeader
        title="Importar cobranças"
        sentence="Até 10.000 de uma vez, de um arquivo CSV. Nada é criado antes de você conferir e confirmar."
        actions={
          <Link to={paths.dueCharges} search={{ tab: 'batches' }} className={buttonClass()}>
            Todos os lotes
          </Link>
        }
      />
      {!mayCreate ? (
        <EmptyState drawing="nothing-yet" title="Seu papel não cria lotes">
          Quem é dono ou operador da conta pode importar cobranças.
        </EmptyState>
      ) : isApproved ? (
        <Import />
      ) : (
        <NotApproved drawing="nothing-yet" />
      )}
    </>
  );
}

type ImportState =
  | { readonly step: 'choose'; readonly problem?: string }
  | { readonly step: 'check'; readonly done: number; readonly total: number }
  | {
      readonly step: 'preview';
      readonly file: BatchFile;
      readonly rows: readonly CheckedRow[];
      /** How many files were chosen until this one. */
      readonly turn: number;
    };

function Import() {
  const navigate = useNavigate();
  const { state, choose } = useImport();
  if (state.step === 'check') return <Checking {...state} />;
  if (state.step === 'preview')
    return (
      <ImportPreview
        // Another file, and the same one after it was mended, is looked at from its beginning.
        key={state.turn}
        file={state.file}
        rows={state.rows}
        onChoose={choose}
        onCreated={({ id }) => void navigate({ to: paths.dueCharges, search: { tab: 'batches', id } })}
      />
    );
  return (
    <div className="grid grid-cols-1 gap-8">
      <FileField error={state.problem} onFile={choose} />
      <ColumnGuide
        columns={batchColumnNames.map((name) => batchColumns[name])}
        templateRows={templateRows}
        templateName="modelo-de-cobrancas.csv"
      />
    </div>
  );
}

/** Reads and checks the file that is chosen. Whoever leaves the page meanwhile stops that. */
function useImport() {
  const [state, setState] = useState<ImportState>({ step: 'choose' });
  const fee = useQuery(taxesQuery).data?.in ?? null;
  const maxCharge = useQuery(settingsQuery).data?.maxCharge;
  const running = useRef<AbortController>(undefined);
  const turn = useRef(0);
  useEffect(() => () => running.current?.abort(), []);
  const choose = async (chosen: File) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    turn.current += 1;
    const { signal } = controller;
    try {
      const file = await readBatchFile(chosen);
      const total = file.rows.length;
      const rules = {
        today: dayOf(new Date()),
        maxCents: maxCharge === undefined ? null : (centsFromBrl(maxCharge) ?? null),
        fee,
      };
      const rows = await checkBatchRows(
        file.rows,
        rules,
        (done) => setState({ step: 'check', done, total }),
        signal,
      );
      setState({ step: 'preview', file, rows, turn: turn.current });
    } catch (error) {
      if (isCancelled(error)) return;
      const problem =
        error instanceof CsvFileError ? error.message : errorText(error, 'Não foi possível ler o arquivo.');
      setState({ step: 'choose', problem });
    }
  };
  return { state, choose };
}

function Checking({ done, total }: { done: number; total: number }) {
  return (
    <Panel className="max-w-136">
      <p role="status">Conferindo {formatCount(total)} linhas…</p>
      <ShareBar share={done / total} className="mt-3 text-primary-glyph" />
    </Panel>
  );
}
