import { type KycState, kycSides, kycState, verifyCpf } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { upload } from '../../api/client.ts';
import { kycQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import type { Pictures } from './picture.ts';

/** The mutation that sends the three pictures, after which the verification is pending. */
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
      // A conflict: meanwhile, documents were sent from elsewhere, or a decision was made. The status is fetched again
      // to show which.
      if (error instanceof ApiError && error.status === 409) return queryClient.invalidateQueries(kycQuery);
      return undefined;
    },
  });
}

/** The state in the response. Another provider of the API may report only success; the verification is then pending. */
function stateFrom(response: unknown): KycState {
  const parsed = kycState.safeParse(response);
  return parsed.success
    ? parsed.data
    : { status: 'pending', reason: null, submitted_at: null, decided_at: null };
}
