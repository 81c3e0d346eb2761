import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { stepUpQuestion } from '../../api/step-up.ts';

const StepUpDialog = lazy(() =>
  import('./step-up-dialog.tsx').then(({ StepUpDialog }) => ({ default: StepUpDialog })),
);

/** Stands once in the frame: asks for the second factor as soon as a call wants it. */
export function StepUp() {
  const question = useStore(stepUpQuestion, (store) => store.question);
  if (question === null) return null;
  return (
    <Suspense>
      <StepUpDialog onAnswer={question.answer} />
    </Suspense>
  );
}
