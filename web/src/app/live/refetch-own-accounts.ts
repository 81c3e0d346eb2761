import { queryClient } from '../../api/query.ts';

/** To be called when an account at a bank may have changed: refetches what screens show of the merchant's own accounts. */
export function refetchOwnAccounts(): void {
  for (const queryKey of [['own-bank'], ['connections'], ['connection']]) {
    queryClient.removeQueries({ queryKey, type: 'inactive' });
    void queryClient.invalidateQueries({ queryKey });
  }
}
