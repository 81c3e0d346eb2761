import { defendDispute, getDispute, parseDisputeDetail } from '@jangada/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { send } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { type DefenceDraft, keepDraft, readDraft } from './defence-draft.ts';
import { uploadOf } from './evidence.ts';

/** The draft of a dispute's defence, and the mutation that sends it once. */
export function useDefence(disputeId: string) {
  const [draft, setDraft] = useState(() => readDraft(disputeId));
  // Files are read asynchronously, so what was typed meanwhile must be kept.
  const newest = useRef(draft);
  const change = (part: (before: DefenceDraft) => Partial<DefenceDraft>) => {
    newest.current = { ...newest.current, ...part(newest.current) };
    setDraft(newest.current);
    keepDraft(disputeId, newest.current);
  };
  const sending = useMutation({
    mutationFn: async () => {
      const files = await Promise.all(draft.evidence.map(({ file }) => uploadOf(file)));
      const body = { text: draft.text.trim(), files };
      return parseDisputeDetail(await send(defendDispute, { params: { id: disputeId }, body }));
    },
    onSuccess: (dispute) => {
      keepDraft(disputeId, { text: '', evidence: [] });
      queryClient.setQueryData(disputeQuery(disputeId).queryKey, dispute);
      void queryClient.invalidateQueries({ queryKey: ['disputes'] });
    },
    // A request without a response may have arrived; the refetched dispute then shows the defence.
    onError: () => void queryClient.invalidateQueries({ queryKey: disputeQuery(disputeId).queryKey }),
  });
  return { draft, change, sending };
}

/** One dispute with its defence. */
export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['dispute', id],
    queryFn: async ({ signal }) => parseDisputeDetail(await send(getDispute, { params: { id }, signal })),
  });
