type TextPart = { text: string; href?: string };

/** A plain text in parts, its http addresses as links. */
export function textWithLinks(text: string): TextPart[] {
  return text
    .split(/(https?:\/\/\S*[^\s.,;:!?)])/)
    .filter((part) => part !== '')
    .map((part) => (/^https?:\/\//.test(part) ? { text: part, href: part } : { text: part }));
}
