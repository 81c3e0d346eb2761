import * as z from 'zod/mini';
import { memberRole } from './members.ts';
import { brl, brlSum, percent } from './money.ts';

/** A `USER` is a merchant. `ADMIN` and `SUPPORT` are staff of the gateway's operator. */
export const roles = ['USER', 'ADMIN', 'SUPPORT'] as const;
export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

/** The tax number that identifies an account: the CPF of a person, or the CNPJ of a company. */
export const docTypes = ['CPF', 'CNPJ'] as const;
export const docType = z.enum(docTypes);
export type DocType = z.infer<typeof docType>;

/** A timestamp of the API: ISO 8601 in UTC. */
export const moment = z.iso.datetime();

const fixedFee = brl.check(z.refine((value) => value >= 0, 'A tarifa fixa não pode ser negativa.'));

/**
 * The fees of an account (percentages, and fixed amounts in BRL), and the reserve withheld from its payments. `in` and
 * `fixIn` apply to payments, `out` and `fixOut` to withdrawals. `crypto` is a fee of the specification that is stored
 * but never charged.
 */
export const taxes = z.object({
  pix: z.object({ in: percent, out: percent, fixIn: fixedFee, fixOut: fixedFee }),
  crypto: percent,
  reserve: z.object({
    enabled: z.boolean(),
    percentage: percent,
    /** For how many days a reserved amount is withheld. */
    liberationTime: z.int().check(z.minimum(0), z.maximum(3650)),
  }),
});
export type Taxes = z.infer<typeof taxes>;

/** An account as its owner sees it. */
export const user = z.object({
  id: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string(),
  /** The URL of the profile picture; empty if there is none. */
  avatar: z.string(),
  approved: z.boolean(),
  role,
  balance: brlSum,
  /** The parts of the `balance` of a merchant who is paid into accounts of their own; absent for others. */
  at_operator: z.optional(brlSum),
  at_own_bank: z.optional(brlSum),
  apiActive: z.boolean(),
  /** The API key, masked; empty if there is none. */
  apiKey: z.string(),
  document: z.string(),
  docType,
  created_at: moment,
  updated_at: moment,
  /** The devices that receive push notifications, newest first; `push_id` is the first of them. */
  push_id: z.nullable(z.string()),
  push_ids: z.array(z.string()),
  taxes,
});
export type User = z.infer<typeof user>;

const actingAccountFields = {
  id: z.string(),
  name: z.string(),
  /** The person's role in it. */
  role: memberRole,
  /** Whether it is the person's own account, which is in their name. */
  own: z.boolean(),
  /** Whether an administrator froze it. */
  frozen: z.boolean(),
  approved: z.boolean(),
  /** Until when the person looks into it for the operator's support; absent for its members. */
  supportUntil: z.optional(z.string()),
};

/** The account for which a session acts, as a person sees it who is a member of more than one. */
export const actingAccount = z.object({
  ...actingAccountFields,
  apiActive: z.boolean(),
  /** Null for a role that does not read balances. */
  balance: z.nullable(brlSum),
  /** The parts of the `balance`, as in `user`. */
  at_operator: z.optional(brlSum),
  at_own_bank: z.optional(brlSum),
});
export type ActingAccount = z.infer<typeof actingAccount>;

/** The part of a user that the browser stores between visits. */
export const storedUser = z.object({
  /** The account for which the session acts; absent for a person who has only their own. */
  account: z.optional(z.object(actingAccountFields)),
  /** True for a person who is a member of no account any more. */
  withoutAccount: z.optional(z.boolean()),
  id: z.string(),
  name: z.string(),
  username: z.string(),
  role,
  approved: z.boolean(),
  docType,
  avatar: z.string(),
});
export type StoredUser = z.infer<typeof storedUser>;
