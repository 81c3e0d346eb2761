import { exportStatement, type StatementModel } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { download } from '../../api/client.ts';
import { saveFile } from '../../panel/save-file.ts';
import { Button } from '../../ui/index.ts';
import type { StatementFilter } from './statement-filter.ts';

type Format = 'csv' | 'ofx';

/**
 * Downloads the filtered statement as CSV, for spreadsheets, or OFX, for accounting programs. The file is
 * named after the period of the loaded statement, or else of the filter.
 */
export function useStatementExport(filter: StatementFilter, loadedStatement: StatementModel | undefined) {
  return useMutation({
    mutationFn: async (format: Format) => {
      const file = await download(exportStatement, { params: { format }, query: filter });
      const { from, to } = loadedStatement ?? filter;
      saveFile(file, `${['extrato', filter.account, from, to].filter(Boolean).join('-')}.${format}`);
    },
  });
}

export function ExportButtons({
  statementExport,
}: {
  statementExport: ReturnType<typeof useStatementExport>;
}) {
  const formats: readonly Format[] = ['csv', 'ofx'];
  return formats.map((format) => (
    <Button
      key={format}
      disabled={statementExport.isPending}
      isSending={statementExport.isPending && statementExport.variables === format}
      sendingLabel="Baixando"
      icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => statementExport.mutate(format)}
    >
      Exportar {format.toUpperCase()}
    </Button>
  ));
}
