import type { AdminUser } from '@jangada/contract';

/** Masks an account for viewers who may not see documents; enough remains to recognise what its owner says. */
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

/** Shows three characters from the middle: too few to guess the rest. */
function maskDocument(document: string): string {
  return `•••${document.slice(3, 6)}`.padEnd(document.length, '•');
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}${hidden}${email.slice(at)}`;
}
