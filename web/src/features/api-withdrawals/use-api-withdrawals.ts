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
import type { PasswordAndPin } from '../../panel/confirm/owner-proof.tsx';

const apiWithdrawalsQuery = queryOptions({
  queryKey: ['api-withdrawals'],
  queryFn: ({ signal }) => call(getApiWithdrawals, { signal }),
});

export type NewDestination = {
  pixKey: string;
  pix_key_type: PixKeyTypeName;
  label: string;
  /** How much API keys may send there by day without approval, in BRL; only for an account with an approval policy. */
  day_limit?: number;
};

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
    turnOn: (proof: PasswordAndPin) =>
      call(setApiWithdrawals, { body: { enabled: true, ...fieldsOf(proof) } }).then(cacheState),
    turnOff: () => call(setApiWithdrawals, { body: { enabled: false } }).then(cacheState),
    save: (destination: NewDestination, proof: PasswordAndPin) =>
      call(saveDestination, { body: { ...destination, ...fieldsOf(proof) } }).then(cacheState),
    remove: (pixKey: string) => call(removeDestination, { body: { pixKey } }).then(cacheState),
  };
}

/** The proof in the fields of these calls. */
const fieldsOf = ({ password, pin }: PasswordAndPin) => ({ password, withdrawal_pin: pin });
