import type { ReactNode } from 'react';

/** Its groups are the code, the strong text, the emphasised name, and the label and address of a link. */
const markupPattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[((?:`[^`]*`|[^\]`])+)\]\(([^)]+)\)/g;

/** Renders a text of the documentation. Its markup is `code`, **strong**, *names* and [links](#id). */
export function Inline({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  /** The index at which the previous markup ended. */
  let end = 0;
  for (const match of text.matchAll(markupPattern)) {
    const [markup, code, strong, name, label, href] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + markup.length;
    const key = match.index;
    if (code !== undefined) parts.push(<InlineCode key={key}>{code}</InlineCode>);
    else if (strong !== undefined)
      parts.push(
        <strong key={key} className="font-strong text-base-content">
          <Inline text={strong} />
        </strong>,
      );
    else if (name !== undefined) parts.push(<em key={key}>{name}</em>);
    else if (label !== undefined)
      parts.push(
        <a key={key} className="link" href={href}>
          <Inline text={label} />
        </a>,
      );
  }
  parts.push(text.slice(end));
  return parts;
}

function InlineCode({ children }: { children: string }) {
  return (
    <code className="rounded-sm bg-base-200 px-1 py-0.5 font-mono text-xs wrap-anywhere">{children}</code>
  );
}
