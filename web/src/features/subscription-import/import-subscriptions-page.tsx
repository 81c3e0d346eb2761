import { centsFromBrl } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { settingsQuery, taxesQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { dayOf } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { ColumnGuide } from '../../panel/csv/column-guide.tsx';
import { CsvFileError, readCsvFile } from '../../panel/csv/csv-file.ts';
import { FileField } from '../../panel/csv/file-field.tsx';
import { NotApproved } from '../../panel/not-approved.tsx';
import { isAccountApproved } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, PageHeader } from '../../ui/index.ts';
import { type ImportOutcome, importMembers } from './import-members.ts';
import { ImportPreview } from './import-preview.tsx';
import { ImportResult } from './import-result.tsx';
import { checkMembers, columnGuide, MAX_MEMBERS, type PayerRow, templateRows } from './member-rows.ts';

/** Creates many subscriptions from a file: each line is checked and shown, and one confirmation creates them. */
export function ImportSubscriptionsPage() {
  const isApproved = useSession(isAccountApproved);
  return (
    <>
      <PageHeader
        title="Importar assinaturas"
        sentence={`Até ${formatCount(MAX_MEMBERS)} de uma vez, de um arquivo CSV. Nada é criado antes de você conferir e confirmar.`}
        actions={
          <Link to={paths.subscriptions} className={buttonClass()}>
            Todas as assinaturas
          </Link>
        }
      />
      {isApproved ? <Import /> : <NotApproved drawing="nothing-yet" />}
    </>
  );
}

type ImportState =
  | { readonly step: 'choose'; readonly problem?: string }
  | { readonly step: 'preview'; readonly rows: readonly PayerRow[] }
  | {
      readonly step: 'result';
      readonly total: number;
      readonly outcomes: readonly ImportOutcome[];
      readonly isDone: boolean;
    };

function Import() {
  const [state, setState] = useState<ImportState>({ step: 'choose' });
  const fee = useQuery(taxesQuery).data?.in ?? null;
  const maxCharge = useQuery(settingsQuery).data?.maxCharge;
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const choose = async (file: File) => {
    try {
      const maxCents = maxCharge === undefined ? null : (centsFromBrl(maxCharge) ?? null);
      const rows = checkMembers(await readCsvFile(file), { maxCents, fee }, dayOf(new Date()));
      setState({ step: 'preview', rows });
    } catch (error) {
      const text =
        error instanceof CsvFileError ? error.message : errorText(error, 'Não foi possível ler o arquivo.');
      setState({ step: 'choose', problem: text });
    }
  };
  const create = async (rows: readonly PayerRow[]) => {
    const controller = new AbortController();
    running.current = controller;
    const outcomes: ImportOutcome[] = [];
    const total = rows.length;
    const show = (isDone: boolean) => setState({ step: 'result', total, outcomes: [...outcomes], isDone });
    show(false);
    const note = (outcome: ImportOutcome) => {
      outcomes.push(outcome);
      show(false);
    };
    await importMembers(rows, note, controller.signal);
    if (!controller.signal.aborted) show(true);
  };
  if (state.step === 'preview')
    return <ImportPreview rows={state.rows} onChoose={choose} onConfirm={create} />;
  if (state.step === 'result') return <ImportResult {...state} />;
  return (
    <div className="grid grid-cols-1 gap-8">
      <FileField error={state.problem} onFile={choose} />
      <ColumnGuide
        columns={columnGuide}
        templateRows={templateRows}
        templateName="modelo-de-assinaturas.csv"
      />
    </div>
  );
}
