import { Download } from 'lucide-react';
import { errorText } from '../../api/error-text.ts';
import { dayOf } from '../../format/date.ts';
import { Button, SectionHeader, toastError } from '../../ui/index.ts';
import { saveFile } from '../save-file.ts';
import { csvFileOf } from './csv-file.ts';

type ColumnGuideProps = {
  columns: readonly { readonly title: string; readonly hint: string }[];
  /** The rows of the template on a calendar day, and the name of its file. */
  templateRows: (today: string) => readonly (readonly string[])[];
  templateName: string;
};

/** Which columns a file may have, and a template to begin with. */
export function ColumnGuide({ columns, templateRows, templateName }: ColumnGuideProps) {
  const saveTemplate = async () => {
    try {
      saveFile(await csvFileOf(templateRows(dayOf(new Date()))), templateName);
    } catch (error) {
      toastError(errorText(error, 'Não foi possível baixar o modelo. Tente novamente.'));
    }
  };
  return (
    <section aria-labelledby="columns" className="max-w-176">
      <SectionHeader
        id="columns"
        title="As colunas"
        aside={
          <Button
            size="small"
            icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={saveTemplate}
          >
            Baixar modelo
          </Button>
        }
      />
      <p className="text-muted">
        A primeira linha tem os nomes das colunas, em qualquer ordem. Deixe de fora as que você não usa.
      </p>
      <dl className="mt-3 divide-y divide-base-300 border-y border-base-300">
        {columns.map(({ title, hint }) => (
          <div key={title} className="grid gap-x-4 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="font-medium">{title}</dt>
            <dd className="text-muted">{hint}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
