import { timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import type { Secrets } from '../secrets.ts';

/** The action that a link in a mail allows: choosing a new password, confirming an e-mail address, or becoming a member. */
export type LinkPurpose = 'password' | 'email' | 'invitation';

const paths: Readonly<Record<LinkPurpose, string>> = {
  password: '/redefinir-senha',
  email: '/confirmar-email',
  invitation: '/convite',
};

/**
 * Builds the URL of a link for a mail. Somebody who reads the database cannot forge the URL, because its token contains
 * a message authentication code (MAC) under the master key.
 */
export function linkUrl(
  secrets: Secrets,
  publicUrl: string,
  { id, purpose }: { readonly id: string; readonly purpose: LinkPurpose },
): string {
  const bytes = Buffer.from(parse(id));
  const token = Buffer.concat([bytes, macOf(secrets, bytes)]).toString('base64url');
  return `${publicUrl}${paths[purpose]}?token=${token}`;
}

const idLength = 16;
const macLength = 32;

/** Returns the link id in a token, or undefined if this gateway did not issue the token. */
export function verifyLinkToken(secrets: Secrets, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== idLength + macLength) return undefined;
  const id = bytes.subarray(0, idLength);
  return timingSafeEqual(bytes.subarray(idLength), macOf(secrets, id)) ? stringify(id) : undefined;
}

function macOf(secrets: Secrets, id: Buffer): Buffer {
  return secrets.hash('mail', `link ${id.toString('hex')}`);
}
