import type { AdminUser } from '@jangada/contract';

/** An account as somebody sees it who may not see documents: enough to recognise what its owner says of it. */
export function maskUser(user: AdminUser): AdminUser {
  const { document, email, apiKey } = user;
  return {
    ...user,
    document: maskDocument(document),
    email: maskEmail(email),
    apiKey: apiKey === '' ? '' : hidden,
  };
}

const hidden = '•••••••';

/** Three from the middle: too few to try what is missing. */
function maskDocument(document: string): string {
  return `•••${document.slice(3, 6)}`.padEnd(document.length, '•');
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}${hidden}${email.slice(at)}`;
}
