// The calls by which a person acts for the accounts of which they are a member, and an owner looks after the members.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { memberRole } from './members.ts';

/** The number of an account. */
const accountId = z
  .string({ error: 'Informe a conta.' })
  .check(z.minLength(1, 'Informe a conta.'), z.maxLength(20, 'Conta inválida.'));

/** An account of which the caller is a member, with their role in it. */
const membership = z.object({
  account_id: z.string(),
  name: z.string(),
  role: memberRole,
  /** Whether it is the caller's own account, which is in their name. */
  own: z.boolean(),
  /** Whether this session acts for it. */
  current: z.boolean(),
  /** Whether an administrator froze it. */
  frozen: z.boolean(),
});

export const listAccounts = endpoint({
  name: 'listAccounts',
  method: 'GET',
  isBatchable: true,
  path: '/authed/accounts',
  access: 'session',
  permission: 'own',
  tag: 'Membros',
  summary: 'As contas de que a pessoa é membro, com o papel dela em cada uma.',
  response: z.object({ accounts: z.array(membership) }),
  refusals: [],
  isExtension: true,
});

export const enterAccount = endpoint({
  name: 'enterAccount',
  method: 'POST',
  path: '/authed/accounts/enter',
  access: 'session',
  permission: 'own',
  tag: 'Membros',
  summary: 'Passa a agir por outra conta de que a pessoa é membro, nesta sessão.',
  body: z.object({ account_id: accountId }),
  response: z.object({ account: membership }),
  refusals: ['MEMBERSHIP_NOT_FOUND', 'ACCOUNT_FROZEN'],
  isExtension: true,
});

export const memberEndpoints = [listAccounts, enterAccount] as const;
