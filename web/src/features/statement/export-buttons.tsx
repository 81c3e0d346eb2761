import { exportStatement, type StatementModel } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { download } from '../../api/client.ts';
import { saveFile } from '../../panel/save-file.ts';
import { Button } from '../../ui/index.ts';
import type { StatementFilter } from './statement-filter.ts';

type Format = 'csv' | 'ofx';

/** Saves the statement as it is filtered, in the files that spreadsheets and accountants read. */
export function useExport(filter: StatementFilter, shown: StatementModel | undefined) {
  return useMutation({
    mutationFn: async (format: Format) => {
      const file = await download(exportStatement, { params: { format }, query: filter });
      const { from, to } = shown ?? filter;
      saveFile(file, `${['extrato', filter.account, from, to].filter(Boolean).join('-')}.${format}`);
    },
  });
}

export function ExportButtons({ exported }: { exported: ReturnType<typeof useExport> }) {
  const formats: readonly Format[] = ['csv', 'ofx'];
  return formats.map((format) => (
    <Button
      key={format}
      disabled={exported.isPending}
      sending={exported.isPending && exported.variables === format}
      sendingWord="Baixando"
      icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => exported.mutate(format)}
    >
      Exportar {format.toUpperCase()}
    </Button>
  ));
}
