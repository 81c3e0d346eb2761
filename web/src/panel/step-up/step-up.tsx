import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { stepUpPrompt } from '../../api/step-up.ts';

const StepUpDialog = lazy(() =>
  import('./step-up-dialog.tsx').then(({ StepUpDialog }) => ({ default: StepUpDialog })),
);

const StepUpPassword = lazy(() =>
  import('./step-up-password.tsx').then(({ StepUpPassword }) => ({ default: StepUpPassword })),
);

/**
 * Asks for the second factor or the password when a sensitive call requires this further proof of identity (a step-up).
 * Mounted once, in the frame around all screens. The dialogs are loaded only when they are needed.
 */
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
