import { exportApprovals } from '@jangada/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { download } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import type { ApprovalsOf } from '../../panel/approvals/approvals-queries.ts';
import { saveFile } from '../../panel/save-file.ts';
import { Button, toastError } from '../../ui/index.ts';

/** Saves the file from which anybody checks the approvals without the gateway. */
export function ExportButton({ of }: { of: ApprovalsOf }) {
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    try {
      const file = await download(exportApprovals, { query: { of } });
      saveFile(file, of === 'operator' ? 'jangada-aprovacoes-operador.json' : 'jangada-aprovacoes.json');
    } catch (error) {
      toastError(errorText(error, 'Não foi possível baixar as aprovações. Tente novamente.'));
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Button
      isSending={isSaving}
      icon={<Download className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={save}
    >
      Baixar para conferir
    </Button>
  );
}
