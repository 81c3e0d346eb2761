// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint, successResponse } from './endpoint.ts';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { accountName, email, newEmail, newPassword } from './registration.ts';
import { currentPassword, reenteredPassword } from './security.ts';
import { moment } from './user.ts';

/** The single-use token in an e-mailed link. */
const linkToken = z.string({ error: 'O link está incompleto.' }).check(z.minLength(20), z.maxLength(100));

// Name, e-mail and password

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/authed/password',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Troca a senha e encerra as outras sessões.',
  // `currentPassword` is `reenteredPassword` with another message, because this form has two passwords to name.
  body: z.object({ current_password: currentPassword, new_password: newPassword }),
  response: successResponse,
  refusals: ['PASSWORD_WRONG', 'PASSWORD_COMMON', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const changeEmail = endpoint({
  name: 'changeEmail',
  method: 'POST',
  path: '/authed/email',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Troca o e-mail. Vale quando o link enviado ao novo endereço é aberto.',
  body: z.object({ email: newEmail, password: reenteredPassword }),
  /**
   * `email` is the requested address. If `pending`, it replaces the current one when the link that was sent to it is
   * opened. Otherwise it is the account's address already: it was before the call, or it replaced the current one at
   * once because this gateway sends no e-mails.
   */
  response: z.object({ email: z.string(), pending: z.boolean() }),
  refusals: ['PASSWORD_WRONG', 'EMAIL_TAKEN', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const resendEmailLink = endpoint({
  name: 'resendEmailLink',
  method: 'POST',
  path: '/authed/email/link',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Envia outro link ao e-mail que falta confirmar. O anterior deixa de valer.',
  response: z.object({ email: z.string() }),
  // NOT_FOUND: no change of the e-mail address is pending.
  refusals: ['NOT_FOUND', 'EMAIL_TAKEN'],
  isExtension: true,
});

export const cancelEmailChange = endpoint({
  name: 'cancelEmailChange',
  method: 'DELETE',
  path: '/authed/email/link',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Desiste da troca de e-mail que falta confirmar.',
  response: successResponse,
  // NOT_FOUND: no change of the e-mail address is pending.
  refusals: ['NOT_FOUND'],
  isExtension: true,
});

export const changeName = endpoint({
  name: 'changeName',
  method: 'POST',
  path: '/authed/name',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Troca o nome da conta.',
  body: z.object({ name: accountName, password: reenteredPassword }),
  response: z.object({ name: z.string() }),
  refusals: ['NOT_HOLDER', 'PASSWORD_WRONG'],
  isExtension: true,
});

export const recoverPassword = endpoint({
  name: 'recoverPassword',
  method: 'POST',
  path: '/recover-password',
  access: 'public',
  tag: 'Sessão',
  summary: 'Envia um link de uso único para criar outra senha, se o e-mail for de uma conta.',
  body: z.object({ email }),
  response: successResponse,
  refusals: ['RECOVERY_OFF'],
  isExtension: true,
});

export const checkResetLink = endpoint({
  name: 'checkResetLink',
  method: 'POST',
  path: '/reset-password/link',
  access: 'public',
  tag: 'Sessão',
  summary: 'Diz se um link para criar outra senha ainda vale, sem gastá-lo.',
  body: z.object({ token: linkToken }),
  response: successResponse,
  refusals: ['LINK_EXPIRED'],
  isExtension: true,
});

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/reset-password',
  access: 'public',
  tag: 'Sessão',
  summary: 'Cria outra senha com o link recebido. Encerra as sessões e suspende saques por 24 horas.',
  body: z.object({ token: linkToken, password: newPassword }),
  response: successResponse,
  refusals: ['LINK_EXPIRED', 'PASSWORD_COMMON'],
  isExtension: true,
});

export const checkEmailLink = endpoint({
  name: 'checkEmailLink',
  method: 'POST',
  path: '/confirm-email/link',
  access: 'public',
  tag: 'Sessão',
  summary: 'Diz se um link para confirmar um e-mail ainda vale, sem gastá-lo.',
  body: z.object({ token: linkToken }),
  response: successResponse,
  refusals: ['LINK_EXPIRED'],
  isExtension: true,
});

export const confirmEmail = endpoint({
  name: 'confirmEmail',
  method: 'POST',
  path: '/confirm-email',
  access: 'public',
  tag: 'Sessão',
  summary: 'Confirma um e-mail novo com o link recebido nele.',
  body: z.object({ token: linkToken }),
  response: z.object({ email: z.string() }),
  refusals: ['LINK_EXPIRED', 'EMAIL_TAKEN'],
  isExtension: true,
});

// Personal data and closing the account (LGPD, Brazil's data protection law)

/**
 * The downloaded JSON is for the account holder, so its field names are Portuguese. This schema names only the fields
 * that every export contains.
 */
export const exportPersonalData = endpoint({
  name: 'exportPersonalData',
  method: 'GET',
  path: '/authed/personal-data',
  access: 'session',
  permission: 'own',
  tag: 'Conta',
  summary: 'Tudo o que o gateway guarda sobre a pessoa, em um arquivo JSON (LGPD, art. 18).',
  response: z.looseObject({
    aviso: z.string(),
    gerado_em: moment,
    notificacoes: z.array(z.unknown()),
  }),
  file: ['application/json; charset=utf-8'],
  // PASSWORD_REQUIRED: the session began more than five minutes ago, and the password was not entered in it since then,
  // as with `confirmPassword`; this call itself takes none. OVERLOADED: another export of the account is running.
  refusals: ['PASSWORD_REQUIRED', 'OVERLOADED'],
  isExtension: true,
});

export const requestClosing = endpoint({
  name: 'requestClosing',
  method: 'POST',
  path: '/authed/close-account',
  access: 'session',
  permission: 'own',
  tag: 'Conta',
  summary: 'Pede o encerramento da conta. Um administrador o conclui quando não houver dinheiro nela.',
  body: z.object({
    password: reenteredPassword,
    reason: z.optional(z.string().check(z.trim(), z.maxLength(500), withoutMisleadingCharacters())),
  }),
  response: z.object({ requested_at: moment }),
  refusals: ['NOT_HOLDER', 'PASSWORD_WRONG', 'CLOSING_REQUESTED'],
  isExtension: true,
});

export const cancelClosingRequest = endpoint({
  name: 'cancelClosingRequest',
  method: 'DELETE',
  path: '/authed/close-account',
  access: 'session',
  permission: 'own',
  tag: 'Conta',
  summary: 'Desiste do encerramento da conta.',
  response: successResponse,
  // NOT_FOUND: no request to close the account is pending.
  refusals: ['NOT_FOUND'],
  isExtension: true,
});

export const accountEndpoints = [
  changePassword,
  changeEmail,
  resendEmailLink,
  cancelEmailChange,
  changeName,
  recoverPassword,
  checkResetLink,
  resetPassword,
  checkEmailLink,
  confirmEmail,
  exportPersonalData,
  requestClosing,
  cancelClosingRequest,
] as const;
