import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { session } from '../session/session.ts';

/**
 * How the user proves their identity once more for a sensitive call, which is called a step-up: with the second factor,
 * or, if the account has none, with the password.
 */
type StepUpMethod = 'factor' | 'password';

/**
 * A prompt for a step-up. `answer(true)` means that the step-up succeeded: its token is kept in this file, or the
 * gateway has recorded the step-up in the session. `answer(false)` means that the user did not prove their identity.
 */
type StepUpPrompt = { method: StepUpMethod; answer: (isProven: boolean) => void };

/** The open prompt; panel/step-up renders it. */
export const stepUpPrompt = createStore<{ prompt: StepUpPrompt | null }>(() => ({ prompt: null }));

let stepUpToken: { token: string; untilMs: number } | null = null;
/** Resolves when the open prompt is answered; null while no prompt is open. */
let promptAnswer: Promise<boolean> | null = null;

/** A step-up is valid only for the session in which it was made. */
session.subscribe((now, before) => {
  if (now.token === before.token) return;
  stepUpToken = null;
  stepUpPrompt.getState().prompt?.answer(false);
});

/**
 * The token for the header `x-step-up`, or null when there is no token or it has expired. The token is kept in memory
 * only, never on the device.
 */
export function validStepUpToken(): string | null {
  return stepUpToken !== null && performance.now() < stepUpToken.untilMs ? stepUpToken.token : null;
}

/** Keeps the token of a step-up in memory until it expires. */
export function storeStepUpToken({ token, expires_in }: { token: string; expires_in: number }): void {
  stepUpToken = { token, untilMs: performance.now() + expires_in * 1000 };
}

/**
 * Reads the required method from the details of a refusal. The gateway decides the method: it names the password only
 * for an account without a second factor.
 */
export function stepUpMethodFrom(details: Readonly<Record<string, unknown>>): StepUpMethod {
  const { methods } = details;
  return Array.isArray(methods) && methods.includes('password') ? 'password' : 'factor';
}

/**
 * Prompts the user for a step-up. Calls that need one at the same time share one prompt. Resolves to true when the
 * step-up succeeded.
 */
export function requestStepUp(method: StepUpMethod = 'factor'): Promise<boolean> {
  // The kept token is of no more use: either a call was refused despite the token, or the caller wants a new proof.
  stepUpToken = null;
  promptAnswer ??= new Promise((resolve) => {
    const answer = (isProven: boolean) => {
      promptAnswer = null;
      stepUpPrompt.setState({ prompt: null });
      resolve(isProven);
    };
    stepUpPrompt.setState({ prompt: { method, answer } });
  });
  return promptAnswer;
}

/**
 * Active once the gateway has refused a staff call because the role requires a session with a second factor. A step-up
 * concerns one sensitive call, but here the gateway refuses every staff call until the session has the factor.
 */
const secondFactorRequired = createStore<{ isActive: boolean }>(() => ({ isActive: false }));

session.subscribe((now, before) => {
  if (now.token !== before.token) secondFactorRequired.setState({ isActive: false });
});

/** Records that the gateway has refused a staff call for lack of a second factor. */
export function recordSecondFactorRequired(): void {
  secondFactorRequired.setState({ isActive: true });
}

/** Called once the session has the second factor, and staff calls are accepted again. */
export function clearSecondFactorRequired(): void {
  secondFactorRequired.setState({ isActive: false });
}

/** Whether the user has to give or set up a second factor before staff calls are accepted. */
export function useSecondFactorRequired(): boolean {
  return useStore(secondFactorRequired, ({ isActive }) => isActive);
}
