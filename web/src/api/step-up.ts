import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { session } from '../session/session.ts';

/** What the prompt asks for: the second factor, or the password of an account without one. */
type StepUpWants = 'factor' | 'password';

/**
 * A prompt for the signed-in user. `answer(true)` means that the proof was given, and is kept here or in the session.
 */
type StepUpQuestion = { wants: StepUpWants; answer: (given: boolean) => void };

/** The open prompt; panel/step-up renders it. */
export const stepUpQuestion = createStore<{ question: StepUpQuestion | null }>(() => ({ question: null }));

let held: { token: string; untilMs: number } | null = null;
let asked: Promise<boolean> | null = null;

/** A step-up belongs to the session that gave it. */
session.subscribe((now, before) => {
  if (now.token === before.token) return;
  held = null;
  stepUpQuestion.getState().question?.answer(false);
});

/** The value of the header x-step-up while it is valid. It is never stored. */
export function heldStepUp(): string | null {
  return held !== null && performance.now() < held.untilMs ? held.token : null;
}

export function holdStepUp({ token, expires_in }: { token: string; expires_in: number }): void {
  held = { token, untilMs: performance.now() + expires_in * 1000 };
}

/** What a refused call requires, read from the details of the refusal. */
export function wantsOf(details: Readonly<Record<string, unknown>>): StepUpWants {
  const { methods } = details;
  return Array.isArray(methods) && methods.includes('password') ? 'password' : 'factor';
}

/** Prompts once for all calls that need it now. Resolves to whether the proof was given. */
export function requestStepUp(wants: StepUpWants = 'factor'): Promise<boolean> {
  held = null;
  asked ??= new Promise((resolve) => {
    const answer = (given: boolean) => {
      asked = null;
      stepUpQuestion.setState({ question: null });
      resolve(given);
    };
    stepUpQuestion.setState({ question: { wants, answer } });
  });
  return asked;
}

/** True once the gateway has refused this session a staff call because the role requires a second factor. */
const demand = createStore<{ refused: boolean }>(() => ({ refused: false }));

session.subscribe((now, before) => {
  if (now.token !== before.token) demand.setState({ refused: false });
});

export function noteFactorDemand(): void {
  demand.setState({ refused: true });
}

/** Clears the demand once the second factor is given: staff calls are accepted again. */
export function forgetFactorDemand(): void {
  demand.setState({ refused: false });
}

export function useFactorDemand(): boolean {
  return useStore(demand, ({ refused }) => refused);
}
