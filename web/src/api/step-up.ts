import { createStore } from 'zustand/vanilla';
import { session } from '../session/session.ts';

/** A question to whoever is signed in: give the second factor. `answer` true: it was given, and is held here. */
export type StepUpQuestion = { answer: (given: boolean) => void };

/** The question that stands open; panel/step-up draws it. */
export const stepUpQuestion = createStore<{ question: StepUpQuestion | null }>(() => ({ question: null }));

let held: { token: string; untilMs: number } | null = null;
let asked: Promise<boolean> | null = null;

/** A step-up belongs to the session that gave it. */
session.subscribe((now, before) => {
  if (now.token === before.token) return;
  held = null;
  stepUpQuestion.getState().question?.answer(false);
});

/** What goes in the header x-step-up, as long as it holds. It is never stored. */
export function heldStepUp(): string | null {
  return held !== null && performance.now() < held.untilMs ? held.token : null;
}

export function holdStepUp({ token, expires_in }: { token: string; expires_in: number }): void {
  held = { token, untilMs: performance.now() + expires_in * 1000 };
}

/** Asks for the second factor, once for all the calls that want it now. Answers whether it was given. */
export function askForStepUp(): Promise<boolean> {
  held = null;
  asked ??= new Promise((resolve) => {
    const answer = (given: boolean) => {
      asked = null;
      stepUpQuestion.setState({ question: null });
      resolve(given);
    };
    stepUpQuestion.setState({ question: { answer } });
  });
  return asked;
}
