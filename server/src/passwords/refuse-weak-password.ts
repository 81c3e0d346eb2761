import { normalizeDocument } from '@jangada/pix';
import { Refusal } from '../refusal.ts';
import { isCommon } from './common-passwords.ts';

/** Whose password it is to be. */
export type Owner = {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly document: string;
};

/** Refuses with PASSWORD_COMMON what is guessed first: common passwords, and what everybody knows of the owner. */
export function refuseWeakPassword(password: string, owner: Owner): void {
  const folded = fold(password);
  // What somebody adds who was told to use digits and signs.
  const forms = [folded, folded.replace(/[^\p{L}]{1,5}$/u, '')];
  // First, since it says more: a username may be a common password too.
  const known = knownOf(owner);
  if (forms.some((form) => known.has(bare(form))))
    throw new Refusal('PASSWORD_COMMON', {
      message: 'A senha não pode ser seu nome de usuário, nome, e-mail ou documento. Escolha outra.',
    });
  if (new Set(folded).size < 4 || forms.some(isCommon)) throw new Refusal('PASSWORD_COMMON');
}

function knownOf({ username, name, email, document }: Owner): ReadonlySet<string> {
  const [mailbox = ''] = email.split('@');
  const texts = [username, name, ...name.split(' '), email, mailbox, normalizeDocument(document)];
  return new Set(texts.map((text) => bare(fold(text))).filter((text) => text.length > 3));
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Dots and dashes make no other password. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}
