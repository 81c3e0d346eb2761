import { FileKey2, Upload } from 'lucide-react';
import { type ChangeEvent, useId } from 'react';
import { buttonClass, classNames, FieldNote } from '../../ui/index.ts';
import { CERTIFICATE_TYPES, type CertificateFile, certificateFileFrom } from './certificate-file.ts';

type CertificateFieldProps = {
  label: string;
  hint: string;
  file: CertificateFile | null;
  error: string | undefined;
  onFile: (file: CertificateFile) => void;
};

/** A field for the file of a client certificate, or for the file of its key. */
export function CertificateField({ label, hint, file, error, onFile }: CertificateFieldProps) {
  const id = useId();
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const chosen = input.files?.[0];
    if (chosen === undefined) return;
    const read = await certificateFileFrom(chosen);
    // Without this, the browser would ignore that the same file was chosen again, after it was mended.
    input.value = '';
    onFile(read);
  };
  return (
    <div>
      <p id={`${id}-label`} className="mb-1.5 font-label">
        {label}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <label
          className={classNames(
            buttonClass(),
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
          )}
        >
          <Upload className="size-4" strokeWidth={1.75} aria-hidden="true" />
          {file === null ? 'Escolher arquivo' : 'Trocar arquivo'}
          <input
            type="file"
            accept={CERTIFICATE_TYPES}
            className="sr-only"
            aria-label={`${label}: ${file === null ? 'escolher arquivo' : `trocar ${file.name}`}`}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={`${id}-note`}
            onChange={choose}
          />
        </label>
        {file !== null && (
          <span className="flex min-w-0 items-center gap-2">
            <FileKey2 className="size-4.5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />
            <span className="min-w-0 wrap-anywhere">{file.name}</span>
          </span>
        )}
      </div>
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  );
}
