import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { session } from '../session/session.ts';

/**
 * How the user steps up, that is, proves their identity once more for a sensitive call: by the second factor, or by
 * the password of an account without one.
 */
type StepUpMethod = 'factor' | 'password';

/**
 * A prompt for the signed-in user. `answer(true)` means that the proof succeeded: its token is kept here, or the
 * gateway has noted it in the session.
 */
type StepUpQuestion = { method: StepUpMethod; answer: (isProven: boolean) => void };

/** The open prompt; panel/step-up renders it. */
export const stepUpQuestion = createStore<{ question: StepUpQuestion | null }>(() => ({ question: null }));

let stepUpToken: { token: string; untilMs: number } | null = null;
let openPrompt: Promise<boolean> | null = null;

/** A step-up is valid only for the session in which it was made. */
session.subscribe((now, before) => {
  if (now.token === before.token) return;
  stepUpToken = null;
  stepUpQuestion.getState().question?.answer(false);
});

/**
 * The value of the header x-step-up, or null when there is none or it has expired. It is never stored on the
 * device.
 */
export function validStepUpToken(): string | null {
  return stepUpToken !== null && performance.now() < stepUpToken.untilMs ? stepUpToken.token : null;
}

/** Keeps the token of a step-up in memory until it expires. */
export function keepStepUp({ token, expires_in }: { token: string; expires_in: number }): void {
  stepUpToken = { token, untilMs: performance.now() + expires_in * 1000 };
}

/** The method that a refused call requires, read from the details of the refusal. */
export function stepUpMethodFrom(details: Readonly<Record<string, unknown>>): StepUpMethod {
  const { methods } = details;
  return Array.isArray(methods) && methods.includes('password') ? 'password' : 'factor';
}

/** Prompts once for all calls that need a step-up now. Resolves to true when the proof succeeded. */
export function requestStepUp(method: StepUpMethod = 'factor'): Promise<boolean> {
  stepUpToken = null;
  openPrompt ??= new Promise((resolve) => {
    const answer = (isProven: boolean) => {
      openPrompt = null;
      stepUpQuestion.setState({ question: null });
      resolve(isProven);
    };
    stepUpQuestion.setState({ question: { method, answer } });
  });
  return openPrompt;
}

/** Active once the gateway has refused this session a staff call because the role requires a second factor. */
const factorDemand = createStore<{ isActive: boolean }>(() => ({ isActive: false }));

session.subscribe((now, before) => {
  if (now.token !== before.token) factorDemand.setState({ isActive: false });
});

/** Records that the gateway has refused a staff call for lack of a second factor. */
export function noteFactorDemand(): void {
  factorDemand.setState({ isActive: true });
}

/** Clears the demand once the second factor is given: staff calls are accepted again. */
export function forgetFactorDemand(): void {
  factorDemand.setState({ isActive: false });
}

export function useFactorDemand(): boolean {
  return useStore(factorDemand, ({ isActive }) => isActive);
}
