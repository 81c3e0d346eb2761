import {
  type ApiWithdrawals,
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

/** Proof that the request comes from the account's owner. */
export type Proof = { password: string; withdrawal_pin: string };
export type NewDestination = { pixKey: string; pix_key_type: PixKeyTypeName; label: string };

/** Whether the API key may withdraw, and the destinations; mutations cache their response. */
export function useApiWithdrawals() {
  const query = useQuery(apiWithdrawalsQuery);
  const keep = (state: ApiWithdrawals) => queryClient.setQueryData(apiWithdrawalsQuery.queryKey, state);
  return {
    query,
    turnOn: (proof: Proof) => call(setApiWithdrawals, { body: { enabled: true, ...proof } }).then(keep),
    turnOff: () => call(setApiWithdrawals, { body: { enabled: false } }).then(keep),
    save: (destination: NewDestination, proof: Proof) =>
      call(saveDestination, { body: { ...destination, ...proof } }).then(keep),
    remove: (pixKey: string) => call(removeDestination, { body: { pixKey } }).then(keep),
  };
}
