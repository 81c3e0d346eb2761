import * as z from 'zod/mini';
import { PASSWORD_MAX_LENGTH } from './limits.ts';
import { moment } from './user.ts';

/** The caller's password, entered again to confirm an action. */
export const reenteredPassword = z
  .string({ error: 'Informe a senha.' })
  .check(z.minLength(1, 'Informe a senha.'), z.maxLength(PASSWORD_MAX_LENGTH, 'A senha é longa demais'));

/** The current password, which a change of password or PIN requires. */
export const currentPassword = z
  .string({ error: 'Senha atual é obrigatória' })
  .check(
    z.minLength(1, 'Senha atual é obrigatória'),
    z.maxLength(PASSWORD_MAX_LENGTH, 'A senha é longa demais'),
  );

/** A WebAuthn credential as shown to its owner. */
export const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: moment,
  last_used_at: z.nullable(moment),
});
export type Passkey = z.infer<typeof passkey>;

/** How an account is protected, and what is pending about its protection. */
export const securityState = z.object({
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  passkeys: z.array(passkey),
  recovery_codes_left: z.int(),
  /** Whether the account's role requires a second factor. */
  demanded: z.boolean(),
  /** Whether a second factor was given in this session, at sign-in or later. */
  given: z.boolean(),
  /** Null if the password never changed since the registration. */
  password_changed_at: z.nullable(moment),
  /** A new e-mail address that is not yet confirmed by the link that was sent to it; null if no change is pending. */
  pending_email: z.nullable(z.string()),
  closing_requested_at: z.nullable(moment),
});
export type SecurityState = z.infer<typeof securityState>;

export const sessionItem = z.object({
  id: z.uuid(),
  /** Whether this is the session that made the request. */
  current: z.boolean(),
  created_at: moment,
  last_seen_at: moment,
  address: z.string(),
  user_agent: z.string(),
  second_factor: z.boolean(),
});
export type SessionItem = z.infer<typeof sessionItem>;
