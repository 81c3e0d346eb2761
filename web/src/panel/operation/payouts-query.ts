import { adminPayouts } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/**
 * Whether payouts are stopped, and the bank balance beside the balance that the bank account needs. For roles with the
 * ability `read-operations`.
 */
export const payoutsQuery = queryOptions({
  queryKey: ['admin', 'payouts'],
  queryFn: ({ signal }) => call(adminPayouts, { signal }),
});
