import type { DisputeModel, DisputeStatus } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { Download, FileText } from 'lucide-react';
import { errorText } from '../../api/error-text.ts';
import { Button, type GlyphName, toastError } from '../../ui/index.ts';
import { saveFile } from '../save-file.ts';

type DefenceFileRowProps = {
  file: { name: string; size: number };
  /** Loads the file; `content` is in base64. */
  load: () => Promise<{ type: string; content: string }>;
};

/** A list row for a file of a defence, the merchant's response to a dispute, with a download button. */
export function DefenceFileRow({ file, load }: DefenceFileRowProps) {
  const download = useMutation({
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
        isSending={download.isPending}
        sendingLabel="Baixando"
        icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => download.mutate()}
      >
        Baixar
      </Button>
    </li>
  );
}

/** Converts a file from the gateway into a Blob. */
function blobFrom({ type, content }: { type: string; content: string }): Blob {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type });
}

const kilobytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

/** `840 kB`, `1,2 MB`. */
export function formatSize(bytes: number): string {
  return bytes < 1_000_000
    ? `${kilobytes.format(Math.max(1, bytes / 1000))}\u00a0kB`
    : `${megabytes.format(bytes / 1_000_000)}\u00a0MB`;
}

/**
 * The phase of a dispute (a payer's claim through the banks): it awaits the merchant's defence or the bank's decision,
 * or it has ended with the given status.
 */
export type DisputePhase = 'defence' | 'decision' | Exclude<DisputeStatus, 'open'>;

/** The phase of a dispute. After the deadline even an undefended dispute awaits the bank's decision. */
export function phaseOf(
  { status, defendedAt, deadline }: Pick<DisputeModel, 'status' | 'defendedAt' | 'deadline'>,
  now: number,
): DisputePhase {
  if (status !== 'open') return status;
  return defendedAt === null && Date.parse(deadline) > now ? 'defence' : 'decision';
}

export const phaseBadges: Record<DisputePhase, { glyph: GlyphName; label: string }> = {
  defence: { glyph: 'waiting', label: 'Espera defesa' },
  decision: { glyph: 'processing', label: 'Em análise' },
  won: { glyph: 'done', label: 'Ganha' },
  lost: { glyph: 'failed', label: 'Perdida' },
  cancelled: { glyph: 'gone', label: 'Cancelada' },
};
