import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

// Apart from connection-endpoints.ts, so that a screen loads these facts without the forms and checks of accounts.
export const ownBank = endpoint({
  name: 'ownBank',
  method: 'GET',
  isBatchable: true,
  path: '/authed/own-bank',
  access: 'session',
  permission: 'read-money',
  tag: 'Banco',
  summary: 'Se o lojista recebe em conta própria, e o que isso muda nas telas.',
  response: z.object({
    /** Whether the merchant has the screen *Banco*: the operator admits own accounts, or the merchant is paid into one. */
    has_screen: z.boolean(),
    /** Whether nothing can be charged before an own account is in use. */
    must_connect: z.boolean(),
    /** Whether the merchant is paid into own accounts only, from which their banks send no Pix through the gateway. */
    is_without_payouts: z.boolean(),
    /** Whether the merchant's charges are paid into own accounts, where nobody can keep the fees back. */
    is_paid_into_own: z.boolean(),
    /** Whether the merchant has, or had, own accounts: money there is shown, and fees of it may be owed. */
    has_own_accounts: z.boolean(),
  }),
  refusals: [],
  isExtension: true,
});
