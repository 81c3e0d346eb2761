import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { errorText } from '../../api/error-text.ts';
import { Button, toast, toastError } from '../../ui/index.ts';
import { saveFile } from '../save-file.ts';
import { csvFileOf } from './csv-file.ts';

const MAX_ROWS = 10_000;

export type ExportColumn<Row> = { readonly head: string; readonly cell: (row: Row) => string };

/** One page of what is exported, and how the file is called. */
type ExportPage<Row> = {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly fileName: string;
};

type ExportButtonProps<Row> = {
  columns: readonly ExportColumn<Row>[];
  readPage: (before: string | undefined) => Promise<ExportPage<Row>>;
  /** Said if it fails. */
  failure: string;
  /** Said if the file has only the first of them. */
  partial: string;
};

/** Saves all pages of a list as a CSV file. */
export function ExportButton<Row>({ columns, readPage, failure, partial }: ExportButtonProps<Row>) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const rows: string[][] = [columns.map(({ head }) => head)];
      let page: ExportPage<Row> | undefined;
      do {
        page = await readPage(page?.next ?? undefined);
        rows.push(...page.rows.map((row) => columns.map(({ cell }) => cell(row))));
      } while (page.next !== null && rows.length <= MAX_ROWS);
      saveFile(await csvFileOf(rows), page.fileName);
      return page.next === null;
    },
    onSuccess: (isWhole) => {
      if (!isWhole) toast(partial);
    },
    onError: (error) => toastError(errorText(error, failure)),
  });
  return (
    <Button
      disabled={isPending}
      isSending={isPending}
      sendingLabel="Exportando"
      icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => mutate()}
    >
      Exportar CSV
    </Button>
  );
}
