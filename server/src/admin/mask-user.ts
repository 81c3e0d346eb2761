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

/** The middle of a CPF, as public registers show it; of a CNPJ what follows its first and goes before its last digits. */
function maskDocument(document: string): string {
  const shown = document.length === 11 ? document.slice(3, 9) : document.slice(2, 8);
  return document.length === 11 ? `•••${shown}••` : `••${shown}••••••`;
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}${hidden}${email.slice(at)}`;
}
