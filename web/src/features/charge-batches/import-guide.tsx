import { Download } from 'lucide-react';
import { errorText } from '../../api/error-text.ts';
import { dayOf } from '../../format/date.ts';
import { csvFileOf } from '../../panel/csv/csv-file.ts';
import { saveFile } from '../../panel/save-file.ts';
import { Button, SectionHeader, toastError } from '../../ui/index.ts';
import { batchColumnNames, batchColumns, templateRows } from './batch-columns.ts';

/** Which columns the file may have, and a template to begin with. */
export function ImportGuide() {
  const saveTemplate = async () => {
    try {
      saveFile(await csvFileOf(templateRows(dayOf(new Date()))), 'modelo-de-cobrancas.csv');
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
        {batchColumnNames.map((name) => (
          <div key={name} className="grid gap-x-4 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="font-medium">{batchColumns[name].title}</dt>
            <dd className="text-muted">{batchColumns[name].hint}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
