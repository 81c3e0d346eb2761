import { Upload } from 'lucide-react';
import { buttonClass, classNames } from '../../ui/index.ts';

/** Chooses another file, or the same one after it was mended. */
export function FileButton({ onFile }: { onFile: (file: File) => void }) {
  return (
    <label
      className={classNames(
        buttonClass(),
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
      )}
    >
      <Upload className="size-4" strokeWidth={1.75} aria-hidden="true" />
      Trocar arquivo
      <input
        type="file"
        accept=".csv,.txt,text/csv"
        className="sr-only"
        onChange={({ currentTarget: input }) => {
          const [file] = input.files ?? [];
          input.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}
