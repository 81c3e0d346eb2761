import { defendDispute, getDispute, parseDisputeDetail } from '@jangada/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { send } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { type DefenceDraft, readDraft, storeDraft } from './defence-draft.ts';
import { uploadOf } from './evidence.ts';

/** The draft of a dispute's defence, and the mutation that sends it once. */
export function useDefence(disputeId: string) {
  const [draft, setDraft] = useState(() => readDraft(disputeId));
  // Files are read asynchronously: an update must start from the latest draft, or text typed meanwhile would be lost.
  const latestDraft = useRef(draft);
  const updateDraft = (changesFrom: (previous: DefenceDraft) => Partial<DefenceDraft>) => {
    latestDraft.current = { ...latestDraft.current, ...changesFrom(latestDraft.current) };
    setDraft(latestDraft.current);
    storeDraft(disputeId, latestDraft.current);
  };
  const submission = useMutation({
    mutationFn: async () => {
      const files = await Promise.all(draft.evidence.map(({ file }) => uploadOf(file)));
      const body = { text: draft.text.trim(), files };
      return parseDisputeDetail(await send(defendDispute, { params: { id: disputeId }, body }));
    },
    onSuccess: (dispute) => {
      storeDraft(disputeId, { text: '', evidence: [] });
      queryClient.setQueryData(disputeQuery(disputeId).queryKey, dispute);
      void queryClient.invalidateQueries({ queryKey: ['disputes'] });
    },
    // A request whose response was lost may have arrived: the refetched dispute then shows the defence.
    onError: () => void queryClient.invalidateQueries({ queryKey: disputeQuery(disputeId).queryKey }),
  });
  return { draft, updateDraft, submission };
}

/** One dispute with its defence. */
export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['dispute', id],
    queryFn: async ({ signal }) => parseDisputeDetail(await send(getDispute, { params: { id }, signal })),
  });
