import { pixAmountToCents } from '@jangada/pix';
import type { BacenClient } from '../bacen/client.ts';
import { type BankAccount, PspUnknown } from '../psp.ts';
import { balance } from './payloads.ts';

/** The account balance, through Efí's API. */
export function createEfiAccount(client: BacenClient): BankAccount {
  return {
    async readBalance() {
      const path = '/v2/gn/saldo?bloqueios=true';
      const response = await client.call({ method: 'GET', path, fromRoot: true, needsReason: true }, balance);
      if (response === undefined) throw new PspUnknown('the bank does not know its own account');
      return {
        freeCents: centsOf(response.saldo),
        // A missing blocked amount counts as zero. If money is blocked nevertheless, the account only appears to have
        // less than it has, which errs on the safe side.
        blockedCents: centsOf(response.bloqueios?.total ?? '0.00'),
      };
    },
  };
}

function centsOf(amount: string): number {
  return amount.startsWith('-') ? 0 - pixAmountToCents(amount.slice(1)) : pixAmountToCents(amount);
}
