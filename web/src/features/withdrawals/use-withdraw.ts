import { brlFromCents, type PixKeyTypeName, parseRequestedWithdrawal, withdraw } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { send } from '../../api/client.ts';
import { failureMeaningOf } from '../../api/intents.ts';
import { supports } from '../../api/provider.ts';
import { outFeesQuery, refetchMoney, walletQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { checkPin } from '../../session/pin-status.ts';

/** A withdrawal as it is sent, with its PIN. */
export type WithdrawalRequest = { amountCents: number; keyType: PixKeyTypeName; pixKey: string; pin: string };

/**
 * Requests withdrawals. After an unknown outcome, the same amount, key and PIN are sent again as the same
 * request.
 */
export function useWithdraw() {
  return useMutation({
    mutationFn: async ({ amountCents, keyType, pixKey, pin }: WithdrawalRequest) => {
      const body = {
        amount: brlFromCents(amountCents),
        pixKey,
        pix_key_type: keyType,
        withdrawal_pin: pin,
      };
      return parseRequestedWithdrawal(await send(withdraw, { body }));
    },
    onSuccess: () => void refetchMoney(),
    onError: (error) => {
      if (!isRefused(error)) return void refetchMoney();
      // The refused PIN may have been the last wrong one allowed; the check shows the lockout before the next
      // attempt.
      void checkPin();
      for (const { queryKey } of [outFeesQuery, walletQuery])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
}

/**
 * True when this attempt certainly made no withdrawal. Otherwise the outcome is unknown, as after a lost response.
 */
export function isRefused(error: unknown): boolean {
  if (failureMeaningOf(error) !== 'unknown') return true;
  if (!(error instanceof ApiError) || error.serverMessage === null) return false;
  // A failure reported in the specification's response format, with a message, means that nothing was withdrawn.
  return error.status === 200 || !supports('failureStatuses');
}
