import { FileUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, useId, useState } from 'react';
import { classNames, FieldNote } from '../../ui/index.ts';

type FileFieldProps = { error: string | undefined; onFile: (file: File) => void };

/** The field for a CSV file, which is chosen or dropped. */
export function FileField({ error, onFile }: FileFieldProps) {
  const id = useId();
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const [file] = input.files ?? [];
    // Without this, the browser would ignore that the same file was chosen again, after it was mended.
    input.value = '';
    if (file !== undefined) onFile(file);
  };
  const dropHandlers = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsDraggedOver(true);
    },
    onDragLeave: () => setIsDraggedOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setIsDraggedOver(false);
      const [file] = event.dataTransfer.files;
      if (file !== undefined) onFile(file);
    },
  };
  return (
    <div className="max-w-136">
      <label
        {...dropHandlers}
        className={classNames(
          'flex min-h-36 w-full cursor-pointer flex-col items-center justify-center gap-2 rounded-field border border-dashed p-4 text-center transition-colors duration-120',
          'hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
          error === undefined ? 'border-control' : 'border-error',
          isDraggedOver && 'bg-primary-tint',
        )}
      >
        <FileUp className="size-5.5 text-muted" strokeWidth={1.75} aria-hidden="true" />
        <span className="font-medium text-primary">Escolher arquivo CSV</span>
        <input
          type="file"
          accept=".csv,.txt,text/csv"
          className="sr-only"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={`${id}-note`}
          onChange={choose}
        />
      </label>
      <FieldNote
        id={`${id}-note`}
        hint="Com ponto e vírgula ou vírgula entre as colunas. No Excel: Salvar como, CSV."
        error={error}
      />
    </div>
  );
}
