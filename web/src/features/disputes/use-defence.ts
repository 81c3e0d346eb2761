import { defendDispute, getDispute, parseDisputeDetail } from '@jangada/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { callRaw } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { type DefenceDraft, readDraft, storeDraft } from './defence-draft.ts';
import { encodeFile } from './evidence.ts';

/** The draft of the defence against a dispute, and `submission`, the mutation that sends the defence. */
export function useDefence(disputeId: string) {
  const [draft, setDraft] = useState(() => readDraft(disputeId));
  // Files are read asynchronously, so the user may type meanwhile. Each update therefore starts from the latest draft:
  // starting from the draft of an earlier render would lose the typed text.
  const latestDraft = useRef(draft);
  /** Changes the fields of the draft that `changeDraft` returns, and stores the draft. */
  const updateDraft = (changeDraft: (previous: DefenceDraft) => Partial<DefenceDraft>) => {
    latestDraft.current = { ...latestDraft.current, ...changeDraft(latestDraft.current) };
    setDraft(latestDraft.current);
    storeDraft(disputeId, latestDraft.current);
  };
  const submission = useMutation({
    mutationFn: async () => {
      const files = await Promise.all(draft.evidence.map(({ file }) => encodeFile(file)));
      const body = { text: draft.text.trim(), files };
      return parseDisputeDetail(await callRaw(defendDispute, { params: { id: disputeId }, body }));
    },
    onSuccess: (dispute) => {
      storeDraft(disputeId, { text: '', evidence: [] });
      queryClient.setQueryData(disputeQuery(disputeId).queryKey, dispute);
      void queryClient.invalidateQueries({ queryKey: ['disputes'] });
    },
    // The gateway may have received the defence although its response was lost. The dispute is fetched again, and shows
    // the defence if there is one.
    onError: () => void queryClient.invalidateQueries({ queryKey: disputeQuery(disputeId).queryKey }),
  });
  return { draft, updateDraft, submission };
}

/** One dispute with its defence. */
export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['dispute', id],
    queryFn: async ({ signal }) => parseDisputeDetail(await callRaw(getDispute, { params: { id }, signal })),
  });
