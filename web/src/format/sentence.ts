/** Ends a text with a full stop unless it already ends a sentence, so that another sentence can follow it. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
