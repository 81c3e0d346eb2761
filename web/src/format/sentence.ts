/** The text with a full stop at its end, unless it already ends like a sentence. Another sentence can then follow. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
