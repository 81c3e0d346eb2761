import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { requestedApproval } from '../../api/approval-requested.ts';

const ApprovalSentDialog = lazy(() =>
  import('./approval-sent-dialog.tsx').then(({ ApprovalSentDialog }) => ({ default: ApprovalSentDialog })),
);

const close = () => requestedApproval.setState({ refusal: null });

/** Tells the user when an act was sent to whoever approves. Mounted once, in the frame around all screens. */
export function ApprovalSent() {
  const refusal = useStore(requestedApproval, (store) => store.refusal);
  if (refusal === null) return null;
  return (
    <Suspense>
      <ApprovalSentDialog refusal={refusal} onClose={close} />
    </Suspense>
  );
}
