import { type KycState, kycSides, kycState, verifyCpf } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { upload } from '../../api/client.ts';
import { kycQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import type { Pictures } from './picture.ts';

/** Sends the three pictures; from then on the verification waits. */
export function useSendDocuments() {
  return useMutation({
    mutationFn: async (pictures: Pictures) => {
      const form = new FormData();
      for (const side of kycSides) {
        const file = pictures[side]?.file;
        if (file !== undefined) form.set(side, file);
      }
      return stateFrom(await upload(verifyCpf.path, form));
    },
    onSuccess: (state) => queryClient.setQueryData(kycQuery.queryKey, state),
    onError: (error) => {
      // Sent or decided elsewhere meanwhile: the page shows what became of it.
      if (error instanceof ApiError && error.status === 409) return queryClient.invalidateQueries(kycQuery);
      return undefined;
    },
  });
}

/** The gateway's response, or its equivalent when a provider only reports success. */
function stateFrom(answer: unknown): KycState {
  const read = kycState.safeParse(answer);
  return read.success ? read.data : { status: 'pending', reason: null, submitted_at: null, decided_at: null };
}
