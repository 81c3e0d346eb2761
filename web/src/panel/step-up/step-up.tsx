import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { stepUpQuestion } from '../../api/step-up.ts';

const StepUpDialog = lazy(() =>
  import('./step-up-dialog.tsx').then(({ StepUpDialog }) => ({ default: StepUpDialog })),
);

const StepUpPassword = lazy(() =>
  import('./step-up-password.tsx').then(({ StepUpPassword }) => ({ default: StepUpPassword })),
);

/** Mounted once in the frame: asks for the second factor or the password when a call requires it. */
export function StepUp() {
  const question = useStore(stepUpQuestion, (store) => store.question);
  if (question === null) return null;
  const Question = question.method === 'password' ? StepUpPassword : StepUpDialog;
  return (
    <Suspense>
      <Question onAnswer={question.answer} />
    </Suspense>
  );
}
