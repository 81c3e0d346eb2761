import { type RegistrationForm, registrationForm, type UserModel } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { signUp } from '../../session/sign-in.ts';

// Validates and submits the registration form. This file is loaded only when the user begins to fill in the form,
// because nothing of it is needed to draw the form.

/** Opens an account from a valid form, and signs in to it. */
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

export type RegistrationProblems = Partial<Record<keyof RegistrationForm, string>>;

/** The first error of each invalid field. */
export function registrationProblems(values: RegistrationForm): RegistrationProblems {
  const problems: RegistrationProblems = {};
  for (const issue of registrationForm.safeParse(values).error?.issues ?? []) {
    const field = fields.find((name) => name === issue.path[0]);
    if (field !== undefined) problems[field] ??= issue.message;
  }
  return problems;
}

/** The fields in the order of the form. */
export const fields = [
  'username',
  'name',
  'email',
  'docType',
  'document',
  'password',
  'confirmPassword',
] as const satisfies readonly (keyof RegistrationForm)[];
