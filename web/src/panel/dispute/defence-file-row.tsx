import { useMutation } from '@tanstack/react-query';
import { Download, FileText } from 'lucide-react';
import { errorText } from '../../api/error-text.ts';
import { Button, toastError } from '../../ui/index.ts';
import { saveFile } from '../save-file.ts';
import { blobFrom, formatSize } from './defence-file.ts';

type DefenceFileRowProps = {
  file: { name: string; size: number };
  /** Loads the file's content, in base64. */
  load: () => Promise<{ type: string; content: string }>;
};

/** A list row for a file of a submitted defence, with a download button. */
export function DefenceFileRow({ file, load }: DefenceFileRowProps) {
  const saving = useMutation({
    mutationFn: async () => saveFile(blobFrom(await load()), file.name),
    onError: (error) => toastError(errorText(error, 'Erro ao baixar o arquivo.')),
  });
  return (
    <li className="flex items-center gap-3 py-1.5">
      <FileText className="size-4.5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <div className="min-w-0 grow">
        <p className="wrap-anywhere">{file.name}</p>
        <p className="text-xs text-muted">{formatSize(file.size)}</p>
      </div>
      <Button
        size="small"
        aria-label={`Baixar ${file.name}`}
        sending={saving.isPending}
        sendingWord="Baixando"
        icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => saving.mutate()}
      >
        Baixar
      </Button>
    </li>
  );
}
