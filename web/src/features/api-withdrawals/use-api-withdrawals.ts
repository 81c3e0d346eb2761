import {
  type ApiWithdrawalSettings,
  getApiWithdrawals,
  type PixKeyTypeName,
  removeDestination,
  saveDestination,
  setApiWithdrawals,
} from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';

const apiWithdrawalsQuery = queryOptions({
  queryKey: ['api-withdrawals'],
  queryFn: ({ signal }) => call(getApiWithdrawals, { signal }),
});

/** The password and the PIN, which prove that the owner of the account sends the request. */
export type Proof = { password: string; withdrawal_pin: string };
export type NewDestination = { pixKey: string; pix_key_type: PixKeyTypeName; label: string };

/**
 * Whether the API key may withdraw, and to which destinations. Each operation puts the state that the gateway returns
 * into the cache.
 */
export function useApiWithdrawals() {
  const query = useQuery(apiWithdrawalsQuery);
  const cacheState = (state: ApiWithdrawalSettings) =>
    queryClient.setQueryData(apiWithdrawalsQuery.queryKey, state);
  return {
    query,
    turnOn: (proof: Proof) => call(setApiWithdrawals, { body: { enabled: true, ...proof } }).then(cacheState),
    turnOff: () => call(setApiWithdrawals, { body: { enabled: false } }).then(cacheState),
    save: (destination: NewDestination, proof: Proof) =>
      call(saveDestination, { body: { ...destination, ...proof } }).then(cacheState),
    remove: (pixKey: string) => call(removeDestination, { body: { pixKey } }).then(cacheState),
  };
}
