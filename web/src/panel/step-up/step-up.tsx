import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { stepUpPrompt } from '../../api/step-up.ts';

const StepUpDialog = lazy(() =>
  import('./step-up-dialog.tsx').then(({ StepUpDialog }) => ({ default: StepUpDialog })),
);

const StepUpPassword = lazy(() =>
  import('./step-up-password.tsx').then(({ StepUpPassword }) => ({ default: StepUpPassword })),
);

/** Mounted once in the frame: asks for the second factor or the password when a call requires it. */
export function StepUp() {
  const prompt = useStore(stepUpPrompt, (store) => store.prompt);
  if (prompt === null) return null;
  const Prompt = prompt.method === 'password' ? StepUpPassword : StepUpDialog;
  return (
    <Suspense>
      <Prompt onAnswer={prompt.answer} />
    </Suspense>
  );
}
