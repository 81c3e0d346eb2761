import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

const file = new URL('./common-passwords.txt.br', import.meta.url);
let words: ReadonlySet<string> | undefined;

/** True if a folded text is among the passwords that are guessed first (README.md). */
export function isCommon(folded: string): boolean {
  words ??= new Set(brotliDecompressSync(readFileSync(file)).toString('utf8').split('\n'));
  return words.has(folded);
}
