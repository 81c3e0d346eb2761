import { Code, CopyButton } from '../ui/index.ts';

/** A code or key with a copy button: most of them are looked up at the bank. */
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
