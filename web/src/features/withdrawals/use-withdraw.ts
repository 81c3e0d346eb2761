import { brlFromCents, type PixKeyTypeName, parseRequestedWithdrawal, withdraw } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { newIdempotencyKey, send } from '../../api/client.ts';
import { offersMore } from '../../api/provider.ts';
import { moneyChanged, outFeesQuery, walletQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { checkPin } from '../../session/pin-status.ts';

export type Asked = { amountCents: number; keyType: PixKeyTypeName; pixKey: string; pin: string };

/**
 * Asks for withdrawals. A try whose outcome nobody knows keeps its Idempotency-Key: the same amount, key and PIN sent
 * again are the same request, whatever was tried in between. After an answer the next try is a new one.
 */
export function useWithdraw() {
  const unresolved = useRef(new Map<string, string>());
  return useMutation({
    mutationFn: async ({ amountCents, keyType, pixKey, pin }: Asked) => {
      const body = {
        amount: brlFromCents(amountCents),
        pixKey,
        pix_key_type: keyType,
        withdrawal_pin: pin,
      };
      const text = JSON.stringify(body);
      const idempotencyKey = unresolved.current.get(text) ?? newIdempotencyKey();
      unresolved.current.set(text, idempotencyKey);
      try {
        const answer = parseRequestedWithdrawal(await send(withdraw, { body, idempotencyKey }));
        unresolved.current.delete(text);
        return answer;
      } catch (error) {
        if (isRefused(error)) unresolved.current.delete(text);
        throw error;
      }
    },
    onSuccess: () => void moneyChanged(),
    onError: (error) => {
      if (!isRefused(error)) return void moneyChanged();
      // A refused PIN may have been one too many, and a stop is told before the next try.
      void checkPin();
      for (const { queryKey } of [outFeesQuery, walletQuery])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
}

const named: readonly string[] = withdraw.refusals;
const notTaken = ['OVERLOADED', 'UNAVAILABLE'];

/**
 * Whether it is certain that no withdrawal was made. Anything else, a lost answer above all, is unknown, and so is an
 * earlier try of the same request that is still running.
 */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === 'IDEMPOTENCY_IN_PROGRESS') return false;
  if (error.status >= 400 && error.status < 500) return true;
  // Who says why in the specification's shape has taken nothing.
  if (error.serverMessage !== null && (error.status === 200 || !offersMore())) return true;
  return error.code !== null && [...named, ...notTaken].includes(error.code);
}
