import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { normalizeDocument } from '@jangada/pix';
import { Refusal } from '../refusal.ts';

/** The data of the account whose password is chosen, which an attacker may know. */
export type Owner = {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly document: string;
};

/**
 * Refuses with PASSWORD_COMMON the passwords that an attacker would guess first: common ones, and those made of the
 * owner's data.
 */
export function refuseWeakPassword(password: string, owner: Owner): void {
  const folded = fold(password);
  // The password is also compared without the digits and symbols that people append to satisfy password rules.
  const variants = [folded, folded.replace(/[^\p{L}]{1,5}$/u, '')];
  // The owner's data come first, because the message is more specific, and a username may also be a common password.
  const ownerWords = ownerWordsOf(owner);
  if (variants.some((variant) => ownerWords.has(lettersAndDigits(variant))))
    throw new Refusal('PASSWORD_COMMON', {
      message: 'A senha não pode ser seu nome de usuário, nome, e-mail ou documento. Escolha outra.',
    });
  // A password of fewer than four different characters, such as `abababab`, is guessed early too.
  if (new Set(folded).size < 4 || variants.some(isCommon)) throw new Refusal('PASSWORD_COMMON');
}

function ownerWordsOf({ username, name, email, document }: Owner): ReadonlySet<string> {
  const [mailbox = ''] = email.split('@');
  const texts = [username, name, ...name.split(' '), email, mailbox, normalizeDocument(document)];
  return new Set(texts.map((text) => lettersAndDigits(fold(text))).filter((text) => text.length > 3));
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Removes dots, dashes and the like, because they make a password no harder to guess. */
function lettersAndDigits(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

const commonPasswordsFile = new URL('./common-passwords.txt.br', import.meta.url);
let commonPasswords: ReadonlySet<string> | undefined;

/** Returns whether a folded password is on the list of common passwords (common-passwords.md). */
function isCommon(folded: string): boolean {
  commonPasswords ??= new Set(
    brotliDecompressSync(readFileSync(commonPasswordsFile)).toString('utf8').split('\n'),
  );
  return commonPasswords.has(folded);
}
