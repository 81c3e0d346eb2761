import { Code, CopyButton } from '../ui/index.ts';

/**
 * An identifier or Pix key with a copy button. `displayText` is shown instead of the copied text where the two differ.
 */
export function CopyableText({
  text,
  displayText,
  label,
}: {
  text: string;
  displayText?: string;
  label: string;
}) {
  return (
    <>
      {displayText === undefined ? (
        <Code className="break-all text-balance">{text}</Code>
      ) : (
        <span className="break-all">{displayText}</span>
      )}
      <CopyButton iconOnly className="-mr-1.5" text={text} label={label} />
    </>
  );
}
