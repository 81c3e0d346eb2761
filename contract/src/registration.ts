import { isCnpj, isCpf, normalizeDocument } from '@jangada/pix';
import * as z from 'zod/mini';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './limits.ts';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import type { DocType } from './user.ts';

const requiredText = (message: string) =>
  z.string({ error: message }).check(z.trim(), z.minLength(1, message));

/** Returns the error message for a document that is invalid for its type; undefined if it is valid. */
export function documentProblem(type: DocType, text: string): string | undefined {
  const document = normalizeDocument(text);
  if (document === '') return `${type} é obrigatório`;
  const isValid = type === 'CPF' ? isCpf(document) : isCnpj(document);
  if (isValid) return undefined;
  return type === 'CPF' ? 'CPF inválido' : 'CNPJ inválido';
}

/**
 * A username cannot contain `@`, and so never looks like an e-mail address. Users sign in with either of the two, so
 * the username of one user must not be the e-mail address of another.
 */
export const username = requiredText('Nome de usuário é obrigatório').check(
  z.maxLength(40, 'O nome de usuário tem no máximo 40 caracteres'),
  z.regex(/^[A-Za-z0-9._-]+$/, 'Use letras, números, ponto, hífen ou sublinhado no nome de usuário'),
);

/** The name of a person or company. One word is enough here; a new account needs two (`fullName`). */
export const accountName = requiredText('Nome completo é obrigatório').check(
  z.maxLength(120, 'O nome tem no máximo 120 caracteres'),
  z.refine((name) => !/\p{Cc}/u.test(name), 'O nome tem caracteres inválidos'),
  withoutMisleadingCharacters('O nome tem caracteres inválidos'),
);

const fullName = accountName.check(
  z.refine((name) => /\S\s+\S/.test(name), 'Por favor, insira seu nome completo (nome e sobrenome)'),
);

export const email = requiredText('Email é obrigatório').check(
  z.maxLength(254, 'Email inválido'),
  z.regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, 'Email inválido'),
);

/** The e-mail address of a new account, or a changed one. Unlike in some older accounts, its domain must have a dot. */
export const newEmail = email.check(
  // Also accepts an address without an @, because `email` has already reported that.
  z.regex(/^[^@]*$|@[^.@]+(\.[^.@]+)+$/, 'Informe o e-mail inteiro, com o domínio, como em nome@exemplo.com'),
  withoutMisleadingCharacters('Email inválido'),
);

export const newPassword = z
  .string({ error: 'A senha deve ter no mínimo 8 caracteres' })
  .check(
    z.minLength(PASSWORD_MIN_LENGTH, 'A senha deve ter no mínimo 8 caracteres'),
    z.maxLength(PASSWORD_MAX_LENGTH, 'A senha é longa demais'),
  );

const sharedFields = { username, name: fullName, email: newEmail, password: newPassword };

/** The body of POST /register, in which the specification has the document's type in lower case, as `doctype`. */
export const registration = z
  .object({
    ...sharedFields,
    document: z.string({ error: 'Documento é obrigatório' }).check(z.maxLength(32, 'Documento inválido')),
    doctype: z.enum(['cpf', 'cnpj'], { error: 'O tipo de documento é cpf ou cnpj' }),
  })
  .check(
    z.superRefine((value, context) => {
      const problem = documentProblem(value.doctype === 'cpf' ? 'CPF' : 'CNPJ', value.document);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['document'], message: problem });
    }),
  );
export type Registration = z.infer<typeof registration>;

/** The registration form, in which the type of the document is in upper case and the password is typed twice. */
export const registrationForm = z
  .object({
    ...sharedFields,
    docType: z.enum(['CPF', 'CNPJ']),
    document: z.string(),
    confirmPassword: z.string(),
  })
  .check(
    z.superRefine((value, context) => {
      const problem = documentProblem(value.docType, value.document);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['document'], message: problem });
      // Two empty passwords match, so the check for equal passwords would not report them.
      if (value.password === '' && value.confirmPassword === '')
        context.addIssue({ code: 'custom', path: ['confirmPassword'], message: 'Confirme a senha' });
      if (value.password !== value.confirmPassword)
        context.addIssue({ code: 'custom', path: ['confirmPassword'], message: 'As senhas não coincidem' });
    }),
  );
export type RegistrationForm = z.infer<typeof registrationForm>;
