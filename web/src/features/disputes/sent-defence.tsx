import { type DisputeDetailModel, getDisputeFile } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { Download, FileText } from 'lucide-react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { blobFrom, formatSize } from '../../panel/dispute/defence-file.ts';
import { saveFile } from '../../panel/save-file.ts';
import { Button, SectionHeader, toastError } from '../../ui/index.ts';

/** The defence as it was sent, with its files. */
export function SentDefence({ dispute }: { dispute: DisputeDetailModel }) {
  return (
    <section aria-labelledby="defence">
      <SectionHeader id="defence" title="Sua defesa" />
      <p className="text-muted">Enviada em {formatDateAtTime(dispute.defendedAt)}.</p>
      {dispute.defence !== null && (
        <p className="mt-3 rounded-box border border-base-300 bg-base-200 p-4 break-words whitespace-pre-wrap">
          {dispute.defence}
        </p>
      )}
      {dispute.files.length > 0 && (
        <ul
          className="mt-3 divide-y divide-base-300 border-y border-base-300"
          aria-label="Arquivos da defesa"
        >
          {dispute.files.map((file) => (
            <SentFile key={file.id} disputeId={dispute.id} file={file} />
          ))}
        </ul>
      )}
    </section>
  );
}

type SentFileProps = { disputeId: string; file: DisputeDetailModel['files'][number] };

function SentFile({ disputeId, file }: SentFileProps) {
  const saving = useMutation({
    mutationFn: async () => {
      const params = { id: disputeId, fileId: file.id };
      saveFile(blobFrom(await call(getDisputeFile, { params })), file.name);
    },
    onError: (error) => toastError(errorText(error, 'Erro ao baixar o arquivo.')),
  });
  return (
    <li className="flex items-center gap-3 py-1.5">
      <FileText className="size-4.5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <div className="min-w-0 grow">
        <p className="truncate">{file.name}</p>
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
