import type { CheckStep } from '@jangada/contract';
import pTimeout from 'p-timeout';

/** The result of a step. `skipped`: there was nothing to try, which keeps no other step from running. */
export type StepResult = Pick<CheckStep, 'answered' | 'meaning'> & {
  readonly state: 'passed' | 'warned' | 'failed' | 'skipped' | 'not-run';
};

export function passed(answered: string, meaning: string): StepResult {
  return { state: 'passed', answered, meaning };
}

export type PlannedStep = Pick<CheckStep, 'id' | 'title' | 'asked'> & {
  /** The steps without which this one makes no sense. */
  readonly needs: readonly string[];
  /** Whether the check fails if this step does. A failure of any other step is a warning. */
  readonly isEssential: boolean;
  readonly run: () => Promise<StepResult>;
};

export type RunOptions = {
  /** Turns an error of a step into what it means; rethrows errors that are defects of ours. */
  readonly describe: (error: unknown) => Pick<StepResult, 'answered' | 'meaning'>;
  /** Removes from a text what no step may show. */
  readonly clean: (text: string) => string;
  /** The time for one step. */
  readonly stepMs: number;
  /** Ends the check: steps that have not run by then stay undone. */
  readonly signal: AbortSignal;
  readonly onSteps: (steps: readonly CheckStep[]) => Promise<void>;
};

/** Thrown for a step that takes longer than a step may. */
export class StepTimedOut extends Error {}

/**
 * Runs the steps of a check one after another, and tells of each change. Steps that need a failed one are not run. The
 * check passes if no essential step failed or was left out.
 */
export async function runSteps(
  plan: readonly PlannedStep[],
  options: RunOptions,
): Promise<{ passed: boolean; steps: readonly CheckStep[] }> {
  let steps: readonly CheckStep[] = plan.map(({ id, title, asked }) => ({
    id,
    title,
    state: 'waiting',
    asked,
    answered: '',
    meaning: '',
  }));
  const update = async (id: string, change: Partial<CheckStep>) => {
    steps = steps.map((step) => (step.id === id ? { ...step, ...change } : step));
    await options.onSteps(steps);
  };
  /** The steps that failed or could not run. */
  const unmet = new Set<string>();
  let passed = true;
  for (const step of plan) {
    const missing = step.needs.find((id) => unmet.has(id));
    const isOver = options.signal.aborted;
    let result: StepResult;
    if (isOver || missing !== undefined) {
      unmet.add(step.id);
      if (step.isEssential) passed = false;
      result = isOver ? timeIsUp : leftOutBecauseOf(plan.find(({ id }) => id === missing)?.title ?? '');
    } else {
      await update(step.id, { state: 'running' });
      const { state, answered, meaning } = await runStep(step, options);
      result = { state, answered: options.clean(answered), meaning: options.clean(meaning) };
      if (result.state === 'failed') {
        unmet.add(step.id);
        passed = false;
      }
    }
    await update(step.id, result);
  }
  return { passed, steps };
}

const timeIsUp: StepResult = {
  state: 'not-run',
  answered: '',
  meaning: 'O tempo da verificação acabou antes deste passo. Verifique de novo mais tarde.',
};

function leftOutBecauseOf(title: string): StepResult {
  return { state: 'not-run', answered: '', meaning: `Este passo depende de outro, que falhou: ${title}.` };
}

async function runStep(step: PlannedStep, { describe, stepMs, signal }: RunOptions): Promise<StepResult> {
  try {
    return await pTimeout(step.run(), { milliseconds: stepMs, message: new StepTimedOut(), signal });
  } catch (error) {
    const reason = signal.aborted ? new StepTimedOut() : error;
    return { ...describe(reason), state: step.isEssential ? 'failed' : 'warned' };
  }
}
