// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint, successResponse } from './endpoint.ts';
import { passkey, reenteredPassword, securityState, sessionItem } from './security.ts';
import { moment } from './user.ts';

/** A code from an authenticator app, or a recovery code. */
const code = z
  .string({ error: 'Informe o código.' })
  .check(
    z.trim(),
    z.minLength(1, 'Informe o código.'),
    z.minLength(6, 'O código do aplicativo tem 6 dígitos.'),
    z.maxLength(32, 'Código inválido.'),
  );
/** The id of a challenge: a short-lived, single-use request of the gateway for a second factor. */
const challenge = z.string().check(z.minLength(1), z.maxLength(100));
/** Parameters or results of the browser's WebAuthn calls, in the JSON form of WebAuthn Level 3, section 5.1. */
const webauthn = z.record(z.string(), z.unknown());

// Signing in with more than a password

export const secondFactorLogin = endpoint({
  name: 'secondFactorLogin',
  method: 'POST',
  path: '/login/second-factor',
  access: 'public',
  tag: 'Sessão',
  summary: 'Conclui a entrada com o segundo fator: um código ou uma chave de acesso.',
  body: z.object({ challenge, code: z.optional(code), credential: z.optional(webauthn) }),
  response: z.object({ token: z.string() }),
  refusals: ['SECOND_FACTOR_WRONG', 'CHALLENGE_EXPIRED', 'ACCOUNT_FROZEN'],
  isExtension: true,
});

export const passkeyLoginOptions = endpoint({
  name: 'passkeyLoginOptions',
  method: 'POST',
  path: '/login/passkey/options',
  access: 'public',
  tag: 'Sessão',
  summary: 'Começa a entrada com uma chave de acesso, sem senha.',
  response: z.object({ challenge: z.string(), options: webauthn }),
  refusals: [],
  isExtension: true,
});

export const passkeyLogin = endpoint({
  name: 'passkeyLogin',
  method: 'POST',
  path: '/login/passkey',
  access: 'public',
  tag: 'Sessão',
  summary: 'Entra com uma chave de acesso.',
  body: z.object({ challenge, credential: webauthn }),
  response: z.object({ token: z.string() }),
  refusals: ['PASSKEY_NOT_ACCEPTED', 'CHALLENGE_EXPIRED', 'ACCOUNT_FROZEN'],
  isExtension: true,
});

// The factors of an account

export const getSecurity = endpoint({
  name: 'getSecurity',
  method: 'GET',
  path: '/authed/security',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'O que guarda a conta: fatores, códigos de recuperação, pedido de encerramento.',
  response: securityState,
  refusals: [],
  isExtension: true,
});

export const beginTotp = endpoint({
  name: 'beginTotp',
  method: 'POST',
  path: '/authed/security/totp',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Começa a ligar um aplicativo autenticador. Nada vale antes da confirmação.',
  body: z._default(z.object({ password: z.optional(reenteredPassword) }), {}),
  response: z.object({
    /** The secret in Base32, to be typed into the app if the picture cannot be scanned. */
    secret: z.string(),
    /** The secret as an otpauth:// address, which authenticator apps understand. */
    uri: z.string(),
    /** The QR code of `uri`: a PNG in base64. */
    image: z.string(),
  }),
  refusals: ['PASSWORD_REQUIRED', 'PASSWORD_WRONG', 'FACTOR_EXISTS', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

const recoveryCodes = z.array(z.string());

export const confirmTotp = endpoint({
  name: 'confirmTotp',
  method: 'POST',
  path: '/authed/security/totp/confirm',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Liga o aplicativo autenticador com o primeiro código dele.',
  body: z.object({ code }),
  /** Recovery codes are issued only with the account's first factor, and are null with any further factor. */
  response: z.object({ recovery_codes: z.nullable(recoveryCodes) }),
  refusals: ['SECOND_FACTOR_WRONG', 'CHALLENGE_EXPIRED', 'FACTOR_EXISTS', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const removeTotp = endpoint({
  name: 'removeTotp',
  method: 'DELETE',
  path: '/authed/security/totp',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Desliga o aplicativo autenticador.',
  response: successResponse,
  refusals: ['PASSWORD_REQUIRED', 'STEP_UP_REQUIRED', 'SECOND_FACTOR_DEMANDED', 'NOT_FOUND'],
  stepUp: true,
  isExtension: true,
});

export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/authed/security/recovery-codes',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Gera códigos de recuperação novos. Os antigos deixam de valer.',
  response: z.object({ recovery_codes: recoveryCodes }),
  refusals: ['PASSWORD_REQUIRED', 'STEP_UP_REQUIRED', 'FACTOR_MISSING'],
  stepUp: true,
  isExtension: true,
});

export const beginPasskey = endpoint({
  name: 'beginPasskey',
  method: 'POST',
  path: '/authed/security/passkeys/options',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Começa a cadastrar uma chave de acesso.',
  body: z._default(z.object({ password: z.optional(reenteredPassword) }), {}),
  response: z.object({ challenge: z.string(), options: webauthn }),
  refusals: ['PASSWORD_REQUIRED', 'PASSWORD_WRONG', 'STEP_UP_REQUIRED', 'PASSKEY_LIMIT'],
  stepUp: true,
  isExtension: true,
});

export const addPasskey = endpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/authed/security/passkeys',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Cadastra a chave de acesso que o navegador criou.',
  body: z.object({
    challenge,
    credential: webauthn,
    name: z
      .string({ error: 'Dê um nome à chave.' })
      .check(z.trim(), z.minLength(1, 'Dê um nome à chave.'), z.maxLength(60, 'O nome é longo demais.')),
  }),
  status: 201,
  response: z.object({ passkey, recovery_codes: z.nullable(recoveryCodes) }),
  refusals: ['PASSKEY_NOT_ACCEPTED', 'CHALLENGE_EXPIRED', 'PASSKEY_LIMIT'],
  isExtension: true,
});

export const removePasskey = endpoint({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/authed/security/passkeys/{id}',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Remove uma chave de acesso.',
  params: z.object({ id: z.uuid() }),
  response: successResponse,
  refusals: ['PASSWORD_REQUIRED', 'STEP_UP_REQUIRED', 'SECOND_FACTOR_DEMANDED', 'NOT_FOUND'],
  stepUp: true,
  isExtension: true,
});

export const stepUpOptions = endpoint({
  name: 'stepUpOptions',
  method: 'POST',
  path: '/authed/step-up/options',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Por quais meios o segundo fator pode ser dado agora.',
  response: z.object({
    methods: z.array(z.enum(['totp', 'passkey', 'recovery-code'])),
    /** The challenge that a passkey must answer. This and `options` are null if the account has no passkey. */
    challenge: z.nullable(z.string()),
    /** The parameters for the browser's call. */
    options: z.nullable(webauthn),
  }),
  refusals: ['FACTOR_MISSING'],
  isExtension: true,
});

export const stepUp = endpoint({
  name: 'stepUp',
  method: 'POST',
  path: '/authed/step-up',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Dá o segundo fator. A resposta vai no cabeçalho x-step-up das chamadas que o pedem.',
  body: z.object({
    challenge: z.optional(challenge),
    code: z.optional(code),
    credential: z.optional(webauthn),
  }),
  response: z.object({ token: z.string(), expires_in: z.int() }),
  refusals: ['SECOND_FACTOR_WRONG', 'CHALLENGE_EXPIRED', 'FACTOR_MISSING'],
  isExtension: true,
});

// Sessions

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/authed/sessions',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'As sessões abertas da conta.',
  response: z.object({ sessions: z.array(sessionItem) }),
  refusals: [],
  isExtension: true,
});

export const endSession = endpoint({
  name: 'endSession',
  method: 'DELETE',
  path: '/authed/sessions/{id}',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Encerra uma sessão.',
  params: z.object({ id: z.uuid() }),
  response: successResponse,
  refusals: ['NOT_FOUND'],
  isExtension: true,
});

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/authed/sessions',
  access: 'session',
  permission: 'own',
  tag: 'Segurança',
  summary: 'Encerra todas as sessões menos esta.',
  response: z.object({ success: z.literal(true), ended: z.int() }),
  refusals: [],
  isExtension: true,
});

/** The e-mails that the gateway would have sent. Only a sandbox that serves just its own machine has this call. */
export const sandboxMails = endpoint({
  name: 'sandboxMails',
  method: 'GET',
  path: '/sandbox/mails',
  access: 'public',
  tag: 'Gateway',
  summary: 'Os e-mails que o sandbox guardou em vez de enviar, do mais novo ao mais antigo.',
  response: z.object({
    mails: z.array(
      z.object({
        id: z.string(),
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        created_at: moment,
      }),
    ),
  }),
  refusals: ['NOT_FOUND'],
  isExtension: true,
});

export const securityEndpoints = [
  secondFactorLogin,
  passkeyLoginOptions,
  passkeyLogin,
  getSecurity,
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  beginPasskey,
  addPasskey,
  removePasskey,
  stepUpOptions,
  stepUp,
  listSessions,
  endSession,
  endOtherSessions,
  sandboxMails,
] as const;
