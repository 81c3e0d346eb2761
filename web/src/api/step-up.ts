import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { session } from '../session/session.ts';

/**
 * How the user steps up, that is, proves their identity once more for a sensitive call: by the second factor, or by
 * the password of an account without one.
 */
type StepUpMethod = 'factor' | 'password';

/**
 * A prompt in which the signed-in user gives the proof. `answer(true)` means that the proof succeeded: its token is kept
 * here, or the gateway has noted it in the session. `answer(false)` means that the user gave none.
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

/**
 * Reads the required method from the details of a refusal. The gateway decides it: it names the password only for an
 * account without a second factor.
 */
export function stepUpMethodFrom(details: Readonly<Record<string, unknown>>): StepUpMethod {
  const { methods } = details;
  return Array.isArray(methods) && methods.includes('password') ? 'password' : 'factor';
}

/**
 * Prompts the user for the proof. Calls that need a step-up at the same time share one prompt. Resolves to true when the
 * proof succeeded.
 */
export function requestStepUp(method: StepUpMethod = 'factor'): Promise<boolean> {
  // A call was refused despite the kept token, or a new proof is wanted; either way the old one is of no more use.
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
 * is one more proof for a sensitive call; here every staff call is refused until the session has the factor.
 */
const secondFactorRequired = createStore<{ isActive: boolean }>(() => ({ isActive: false }));

session.subscribe((now, before) => {
  if (now.token !== before.token) secondFactorRequired.setState({ isActive: false });
});

/** Records that the gateway has refused a staff call for lack of a second factor. */
export function noteSecondFactorRequired(): void {
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
