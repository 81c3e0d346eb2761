import { Code, CopyButton } from '../ui/index.ts';

/**
 * An identifier or Pix key with a copy button. `shown` is its text for display, if that differs from the copied text.
 */
export function Copied({ text, shown, label }: { text: string; shown?: string; label: string }) {
  return (
    <>
      {shown === undefined ? (
        <Code className="break-all text-balance">{text}</Code>
      ) : (
        <span className="break-all">{shown}</span>
      )}
      <CopyButton iconOnly className="-mr-1.5" text={text} label={label} />
    </>
  );
}
