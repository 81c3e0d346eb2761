import type { listConnections, ResponseOf } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dataOfLastVisit } from '../../api/last-visit.ts';
import { connectionsQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';

/** The facts about the merchant's own bank accounts that screens other than *Banco* need. */
export type MerchantBank = {
  /** Whether the merchant has the screen *Banco*: the operator admits own accounts, or the merchant is paid into one. */
  hasScreen: boolean;
  /** Whether nothing can be charged before an own account is in use. */
  mustConnect: boolean;
  /** Whether the merchant is paid into own accounts only, from which their banks send no Pix through the gateway. */
  isWithoutPayouts: boolean;
  /** Whether the merchant is paid into own accounts, and so owes the fees, which nobody can keep back there. */
  owesFees: boolean;
};

const none: MerchantBank = { hasScreen: false, mustConnect: false, isWithoutPayouts: false, owesFees: false };

// Only this is kept for the next visit, so that the menu does not change while it loads; keys and checks are not.
const lastVisitKey = ['merchant-bank'];
queryClient.setQueryDefaults(lastVisitKey, { meta: { isKept: true }, gcTime: Number.POSITIVE_INFINITY });

/** The answer about the merchant's own accounts. `isKnown` is false until the gateway has answered, or failed to. */
export function useMerchantBank(): MerchantBank & { isKnown: boolean } {
  const { data, isPending } = useQuery(connectionsQuery);
  useEffect(() => {
    if (data !== undefined) queryClient.setQueryData(lastVisitKey, merchantBankOf(data));
  }, [data]);
  if (data !== undefined) return { ...merchantBankOf(data), isKnown: true };
  const {
    hasScreen = false,
    isWithoutPayouts = false,
    owesFees = false,
  } = (dataOfLastVisit(lastVisitKey) ?? {}) as Partial<MerchantBank>;
  return { ...none, ...(isPending && { hasScreen, isWithoutPayouts, owesFees }), isKnown: !isPending };
}

export function merchantBankOf({
  merchant_accounts,
  merchant_kind,
  connections,
  banks,
}: ResponseOf<typeof listConnections>): MerchantBank {
  const isDirect = merchant_kind === 'direct';
  const used = connections.filter(({ state }) => state !== 'draft' && state !== 'retired');
  const banksWithPayouts = banks.filter(({ offers }) => offers.withdrawals).map(({ id }) => id);
  return {
    hasScreen: merchant_accounts !== 'pooled' || isDirect,
    mustConnect: isDirect && !connections.some(({ state }) => state === 'active'),
    isWithoutPayouts:
      isDirect && used.length > 0 && !used.some(({ bank }) => banksWithPayouts.includes(bank)),
    owesFees: isDirect,
  };
}
