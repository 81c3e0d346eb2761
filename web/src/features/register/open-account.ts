import type { RegistrationForm, UserModel } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { signUp } from '../../session/sign-in.ts';

// The registration's submit code, loaded while the form is filled in to keep the first visit light.

export { fields, registrationProblems } from './registration-problems.ts';

/** Opens the account of a form without problems, and signs in to it. */
export async function openAccount(form: RegistrationForm): Promise<UserModel> {
  const { username, name, email, password, docType, document } = form;
  return await signUp({
    username: username.trim(),
    name: name.trim(),
    password,
    email: email.trim(),
    document: normalizeDocument(document),
    doctype: docType === 'CPF' ? 'cpf' : 'cnpj',
  });
}
