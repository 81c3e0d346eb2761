import { z } from 'zod';
import type { Accounts } from './accounts.ts';
import type { Bank } from './bank.ts';
import { SandboxRefusal } from './refusal.ts';

const querySchema = z.object({ account: z.string().optional() });

/** Returns the account that a query names by `account`, its id or its key; the first account if it names none. */
export function chooseAccount(accounts: Accounts, query: unknown): Bank {
  const { data } = querySchema.safeParse(query);
  if (data === undefined) throw new SandboxRefusal('INVALID_REQUEST', 'Diga em account uma só conta.');
  const bank = data.account === undefined ? accounts.first : accounts.named(data.account);
  if (bank === undefined) throw new SandboxRefusal('NOT_FOUND', 'Esta conta não existe.');
  return bank;
}
