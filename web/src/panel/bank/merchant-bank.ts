import type { ownBank, ResponseOf } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOfLastVisit } from '../../api/last-visit.ts';
import { ownBankQuery } from '../../api/queries.ts';
import { useMay } from '../../session/account.ts';

export type MerchantBank = ResponseOf<typeof ownBank>;

const none: MerchantBank = {
  has_screen: false,
  must_connect: false,
  is_without_payouts: false,
  is_paid_into_own: false,
  has_own_accounts: false,
};

/** Older facts are asked for again when another screen opens: an account may have been suspended meanwhile. */
const STALE_MS = 10_000;

/**
 * The facts about the merchant's own bank accounts that screens beside *Banco* need. Until the gateway has answered, they
 * are those of the last visit, so that the menu does not change, and `isKnown` is false. They concern nobody who does not
 * read money.
 */
export function useMerchantBank(): MerchantBank & { isKnown: boolean } {
  const enabled = useMay('read-money');
  const { data, isPending } = useQuery({
    ...ownBankQuery,
    staleTime: STALE_MS,
    refetchOnMount: true,
    enabled,
  });
  if (data !== undefined) return { ...data, isKnown: true };
  const ofLastVisit = isPending ? dataOfLastVisit(ownBankQuery.queryKey) : undefined;
  return {
    ...none,
    ...(ofLastVisit as Partial<MerchantBank>),
    must_connect: false,
    isKnown: !isPending || !enabled,
  };
}
