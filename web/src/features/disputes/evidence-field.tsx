import { DEFENCE_LIMITS } from '@jangada/contract';
import { FileText, Paperclip, X } from 'lucide-react';
import { type ChangeEvent, useId } from 'react';
import { formatSize } from '../../panel/dispute/dispute-parts.tsx';
import { buttonClass, classNames, Glyph, IconButton } from '../../ui/index.ts';
import { ACCEPTED_TYPES, type ChosenEvidence, evidenceFrom } from './evidence.ts';

type EvidenceFieldProps = {
  evidence: readonly ChosenEvidence[];
  error: string | undefined;
  /**
   * Called with a function that makes the new list from the latest one, because the list may change while files are
   * read.
   */
  onEvidence: (update: (previous: readonly ChosenEvidence[]) => readonly ChosenEvidence[]) => void;
};

/** The field for the files that support a defence against a dispute. Files can be added and removed. */
export function EvidenceField({ evidence, error, onEvidence }: EvidenceFieldProps) {
  const id = useId();
  const addFiles = async (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const newEvidence = await evidenceFrom([...(input.files ?? [])]);
    // Without this, the browser would ignore the choice of a file that was chosen before and then removed.
    input.value = '';
    onEvidence((previous) => [...previous, ...newEvidence]);
  };
  return (
    <div>
      <p id={`${id}-label`} className="mb-1.5 font-label">
        Arquivos (opcional)
      </p>
      {evidence.length > 0 && <EvidenceList evidence={evidence} onEvidence={onEvidence} />}
      <label
        className={classNames(
          buttonClass(),
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
        )}
      >
        <Paperclip className="size-4" strokeWidth={1.75} aria-hidden="true" />
        Anexar arquivos
        <input
          type="file"
          multiple
          accept={ACCEPTED_TYPES}
          className="sr-only"
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          onChange={addFiles}
        />
      </label>
      <div id={`${id}-note`} aria-live="polite" className="mt-1.5 text-xs">
        {error === undefined ? (
          <p className="text-muted">
            Até {DEFENCE_LIMITS.maxFiles} arquivos PDF, PNG ou JPEG, de até 2 MB cada.
          </p>
        ) : (
          <p className="flex items-start gap-1.5 font-medium text-error">
            <Glyph name="failed" className="mt-0.5 size-3" />
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

function EvidenceList({
  evidence,
  onEvidence,
}: {
  evidence: EvidenceFieldProps['evidence'];
  onEvidence: EvidenceFieldProps['onEvidence'];
}) {
  return (
    <ul className="mb-3 divide-y divide-base-300 border-y border-base-300">
      {evidence.map(({ key, file, problem }) => (
        <li key={key} className="flex items-center gap-3 py-1.5">
          {problem === undefined ? (
            <FileText className="size-4.5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <Glyph name="failed" className="mx-0.5 size-3.5" />
          )}
          <div className="min-w-0 grow">
            <p className="wrap-anywhere">{file.name}</p>
            <p className={classNames('text-xs', problem === undefined ? 'text-muted' : 'text-error')}>
              {problem ?? formatSize(file.size)}
            </p>
          </div>
          <IconButton
            label={`Remover ${file.name}`}
            size="small"
            className="-mr-1.5"
            icon={<X className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => onEvidence((previous) => previous.filter((item) => item.key !== key))}
          />
        </li>
      ))}
    </ul>
  );
}
