import type { Accounts } from './accounts.ts';
import type { Bank } from './bank.ts';
import type { Pix } from './records.ts';
import { SandboxRefusal } from './refusal.ts';

/** Returns a Pix and the account that received it. Throws `SandboxRefusal` NOT_FOUND. */
export function findPayment(accounts: Accounts, endToEndId: string): { bank: Bank; pix: Pix } {
  const bank = accounts.all.find(({ books }) => books.pix.has(endToEndId));
  const pix = bank?.books.pix.get(endToEndId);
  if (bank === undefined || pix === undefined)
    throw new SandboxRefusal('NOT_FOUND', 'Este pagamento não existe.');
  return { bank, pix };
}
