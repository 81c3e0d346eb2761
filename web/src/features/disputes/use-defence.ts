import { defendDispute, getDispute, parseDisputeDetail } from '@jangada/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { send } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { type DefenceDraft, keepDraft, readDraft } from './defence-draft.ts';
import { uploadOf } from './evidence.ts';

/** The defence of a dispute being written, and how it is sent: once. */
export function useDefence(disputeId: string) {
  const [draft, setDraft] = useState(() => readDraft(disputeId));
  // Files take a while to be looked at: what is typed meanwhile stays.
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
    // A try without an answer may have arrived: then the dispute says so, and it is not sent twice.
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
