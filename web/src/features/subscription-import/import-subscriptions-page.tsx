import { centsFromBrl } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { settingsQuery, taxesQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { dayOf } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { NotApproved } from '../../panel/not-approved.tsx';
import { saveFile } from '../../panel/save-file.ts';
import { isAccountApproved } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, buttonClass, FieldNote, PageHeader, SectionHeader } from '../../ui/index.ts';
import { CsvError, csvOf, readCsv } from './csv.ts';
import { importMembers, type Outcome } from './import-members.ts';
import { ImportPreview } from './import-preview.tsx';
import { ImportResult } from './import-result.tsx';
import { checkMembers, columnGuide, MAX_MEMBERS, type MemberRow, templateRows } from './member-rows.ts';

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
  | { readonly step: 'preview'; readonly rows: readonly MemberRow[] }
  | {
      readonly step: 'result';
      readonly total: number;
      readonly outcomes: readonly Outcome[];
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
      const rows = checkMembers(await readCsv(file), { maxCents, fee }, dayOf(new Date()));
      setState({ step: 'preview', rows });
    } catch (error) {
      const text =
        error instanceof CsvError ? error.message : errorText(error, 'Não foi possível ler o arquivo.');
      setState({ step: 'choose', problem: text });
    }
  };
  const create = async (rows: readonly MemberRow[]) => {
    const controller = new AbortController();
    running.current = controller;
    const outcomes: Outcome[] = [];
    const total = rows.length;
    const show = (isDone: boolean) => setState({ step: 'result', total, outcomes: [...outcomes], isDone });
    show(false);
    const note = (outcome: Outcome) => {
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
      <Guide />
    </div>
  );
}

type FileFieldProps = { error: string | undefined; onFile: (file: File) => void };

function FileField({ error, onFile }: FileFieldProps) {
  return (
    <div className="max-w-136">
      <label
        className={`flex min-h-36 w-full cursor-pointer flex-col items-center justify-center gap-2 rounded-field border border-dashed p-4 text-center hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary ${error === undefined ? 'border-control' : 'border-error'}`}
      >
        <FileUp className="size-5.5 text-muted" strokeWidth={1.75} aria-hidden="true" />
        <span className="font-medium text-primary">Escolher arquivo CSV</span>
        <input
          type="file"
          accept=".csv,.txt,text/csv"
          className="sr-only"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby="members-file-note"
          onChange={({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
            const [file] = input.files ?? [];
            // Without this, the browser would ignore that the same file was chosen again, after it was mended.
            input.value = '';
            if (file !== undefined) onFile(file);
          }}
        />
      </label>
      <FieldNote
        id="members-file-note"
        hint="Com ponto e vírgula ou vírgula entre as colunas. No Excel: Salvar como, CSV."
        error={error}
      />
    </div>
  );
}

function Guide() {
  return (
    <section aria-labelledby="columns" className="max-w-176">
      <SectionHeader
        id="columns"
        title="As colunas"
        aside={
          <Button
            size="small"
            onClick={() => saveFile(csvOf(templateRows(dayOf(new Date()))), 'modelo-de-assinaturas.csv')}
          >
            Baixar modelo
          </Button>
        }
      />
      <p className="text-muted">
        A primeira linha tem os nomes das colunas, em qualquer ordem. Deixe de fora as que você não usa.
      </p>
      <dl className="mt-3 divide-y divide-base-300 border-y border-base-300">
        {columnGuide.map(({ title, hint }) => (
          <div key={title} className="grid gap-x-4 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="font-medium">{title}</dt>
            <dd className="text-muted">{hint}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
