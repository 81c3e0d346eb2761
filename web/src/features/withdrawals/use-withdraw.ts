import { brlFromCents, type PixKeyTypeName, parseRequestedWithdrawal, withdraw } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { callRaw } from '../../api/client.ts';
import { failureOutcomeOf } from '../../api/intents.ts';
import { supports } from '../../api/provider.ts';
import { refetchMoney, walletQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { outFeesQuery } from '../../api/withdrawal-queries.ts';
import { checkPin } from '../../session/pin-status.ts';
import type { PayingSource } from './withdrawal-sources.tsx';

/** A withdrawal as it is sent, with its PIN. */
export type WithdrawalRequest = {
  amountCents: number;
  keyType: PixKeyTypeName;
  pixKey: string;
  /** The account from which it leaves; undefined lets the gateway choose. */
  source: PayingSource | undefined;
  pin: string;
};

/**
 * Requests withdrawals. After an unknown outcome, a request with the same amount, key and PIN is sent with the same
 * Idempotency-Key, so that it makes no second withdrawal.
 */
export function useWithdraw() {
  return useMutation({
    mutationFn: async ({ amountCents, keyType, pixKey, source, pin }: WithdrawalRequest) => {
      const body = {
        amount: brlFromCents(amountCents),
        pixKey,
        pix_key_type: keyType,
        withdrawal_pin: pin,
        ...(source && { from: source.id }),
      };
      return parseRequestedWithdrawal(await callRaw(withdraw, { body }));
    },
    onSuccess: () => void refetchMoney(),
    onError: (error) => {
      if (!isKnownNotMade(error)) return void refetchMoney();
      // The refusal may have been for the last wrong PIN allowed. The check then shows that withdrawals are locked,
      // before the user tries again.
      void checkPin();
      for (const { queryKey } of [outFeesQuery, walletQuery, { queryKey: ['withdrawal-sources'] }])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
}

/**
 * True when this attempt certainly made no withdrawal. Otherwise the outcome is unknown, as after a lost response.
 */
export function isKnownNotMade(error: unknown): boolean {
  if (failureOutcomeOf(error) !== 'unknown') return true;
  if (!(error instanceof ApiError) || error.serverMessage === null) return false;
  // A message in the specification's response format (status 200), or from a provider whose statuses say nothing about
  // the outcome, means that nothing was withdrawn.
  return error.status === 200 || !supports('failureStatuses');
}
