/** A piece of code with what it is; the rest stands without. */
export type Token = { readonly text: string; readonly is?: 'string' | 'comment' | 'word' | 'number' };

const words =
  'const|import|from|await|async|function|return|if|not|throw|new|def|class|raise|and|or|for|in|as|with|foreach|true|false|null|exit|curl';
const pieces = new RegExp(
  [
    String.raw`(?<comment>(?<=^|\s)(?:\/\/|#) .*$)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|${'`'}[^${'`'}]*${'`'})`,
    String.raw`(?<word>\b(?:${words})\b(?!['"-]))`,
    String.raw`(?<number>\b\d+(?:\.\d+)?\b)`,
  ].join('|'),
  'gm',
);

/** Splits code into tokens. Unrecognised text stays plain; nothing is lost or added. */
export function highlight(code: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(pieces)) {
    if (match.index > end) tokens.push({ text: code.slice(end, match.index) });
    const kinds = ['comment', 'string', 'word', 'number'] as const;
    const is = kinds.find((kind) => match.groups?.[kind] !== undefined);
    tokens.push({ text: match[0], ...(is !== undefined && { is }) });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
}
