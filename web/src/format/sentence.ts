/** Ends a text with a full stop, unless it ends a sentence already: what follows it is another one. */
export function asSentence(text: string): string {
  const said = text.trim();
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}
