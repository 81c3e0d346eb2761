import * as z from 'zod/mini';
import { PASSWORD_MAX_LENGTH } from './limits.ts';
import { moment } from './user.ts';

/** The password of the one who asks, once more. */
export const givenPassword = z
  .string({ error: 'Informe a senha.' })
  .check(z.minLength(1, 'Informe a senha.'), z.maxLength(PASSWORD_MAX_LENGTH, 'A senha é longa demais'));

/** A WebAuthn credential as its owner sees it. */
export const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: moment,
  last_used_at: z.nullable(moment),
});
export type Passkey = z.infer<typeof passkey>;

/** What guards an account. */
export const securityState = z.object({
  /** An authenticator app is set up. */
  totp: z.boolean(),
  passkeys: z.array(passkey),
  recovery_codes_left: z.int(),
  /** The role may not go without a second factor. */
  demanded: z.boolean(),
  /** This session was opened, or raised, with a second factor. */
  given: z.boolean(),
  /** Null: the one that the account was made with. */
  password_changed_at: z.nullable(moment),
  /** An e-mail address that waits for its link to be opened. */
  pending_email: z.nullable(z.string()),
  closing_requested_at: z.nullable(moment),
});
export type SecurityState = z.infer<typeof securityState>;

export const sessionItem = z.object({
  id: z.uuid(),
  /** The one that asks. */
  current: z.boolean(),
  created_at: moment,
  last_seen_at: moment,
  address: z.string(),
  user_agent: z.string(),
  second_factor: z.boolean(),
});
export type SessionItem = z.infer<typeof sessionItem>;
