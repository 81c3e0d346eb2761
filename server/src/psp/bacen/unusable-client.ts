import { PspNotAsked } from '../psp.ts';
import { type BacenClient, OWN_ACCOUNT_LIMITS } from './client.ts';

/** A client for an account that cannot be connected, for this `cause`: it makes no call, and counts each as failed. */
export function createUnusableClient(cause: unknown): BacenClient {
  let failures = 0;
  const fail = async () => {
    failures += 1;
    throw new PspNotAsked('the account cannot be connected', { cause });
  };
  return {
    call: fail,
    requestToken: fail,
    reachable: () => false,
    health: () => ({
      answers: 0,
      failuresInARow: failures,
      lastFailure: 'As credenciais guardadas não puderam ser abertas: envie-as de novo.',
    }),
    listLimits: OWN_ACCOUNT_LIMITS,
    close: async () => {},
  };
}
