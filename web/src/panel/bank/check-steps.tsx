import type { BankCheck, CheckStep } from '@jangada/contract';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { formatDateAtTime } from '../../format/date.ts';
import { classNames, Glyph, type GlyphName, Spinner, useAnnouncement } from '../../ui/index.ts';

/** The word for a step's state. Screen readers get it for every step; others see it where a glyph would not say enough. */
const stateWords: Record<CheckStep['state'], string> = {
  waiting: 'espera',
  running: 'em andamento',
  passed: 'passou',
  warned: 'passou com ressalva',
  failed: 'falhou',
  skipped: 'não se aplica',
  'not-run': 'não feito',
};

const glyphs: Partial<Record<CheckStep['state'], GlyphName>> = {
  passed: 'done',
  warned: 'waiting',
  failed: 'failed',
  'not-run': 'gone',
};

/**
 * A check of a connection, step by step, as it stands now. Each step that has run opens to what the bank was asked, what
 * it answered and what that means; failures and warnings are open from the start.
 */
export function CheckSteps({ check }: { check: BankCheck }) {
  // Screen readers hear where the check is, and how it ended.
  useAnnouncement(checkSentence(check));
  if (check.steps.length === 0) return null;
  return (
    <ol aria-label="Passos da verificação" className="divide-y divide-base-300 border-y border-base-300">
      {check.steps.map((step) => (
        <Step key={step.id} step={step} />
      ))}
    </ol>
  );
}

/** Where a check is, or how it ended, in one sentence. */
export function checkSentence({ result, steps, ended_at }: BankCheck): string {
  if (result === 'running') {
    const at = steps.findIndex(({ state }) => state === 'running' || state === 'waiting');
    const step = steps[at];
    if (step === undefined) return 'Verificando no banco…';
    // A gateway that reports steps only as they begin does not know yet how many there will be.
    const total = steps.some(({ state }) => state === 'waiting') ? ` de ${steps.length}` : '';
    return `Passo ${at + 1}${total}: ${step.title}…`;
  }
  const when = ended_at === null ? '' : ` em ${formatDateAtTime(ended_at)}`;
  const failed = steps.filter(({ state }) => state === 'failed').length;
  const warned = steps.filter(({ state }) => state === 'warned').length;
  if (result === 'failed' && failed === 0) return `Não passou${when}.`;
  if (result === 'failed')
    return `Não passou${when}: ${failed === 1 ? '1 passo falhou' : `${failed} passos falharam`}.`;
  if (warned === 0) return `Passou${when}.`;
  return `Passou${when}, com ${warned === 1 ? '1 ressalva' : `${warned} ressalvas`}.`;
}

function Step({ step }: { step: CheckStep }) {
  const { title, state, asked, answered, meaning } = step;
  const isTrouble = state === 'failed' || state === 'warned';
  // Until somebody opens or closes a step, it is open exactly while it tells of trouble.
  const [chosenOpen, setChosenOpen] = useState<boolean>();
  const isOpen = chosenOpen ?? isTrouble;
  const detailId = useId();
  const hasDetail = asked !== '' || answered !== '' || meaning !== '';
  if (!hasDetail)
    return (
      <li className="flex min-h-11 items-center gap-3 py-2">
        <StepHead title={title} state={state} />
      </li>
    );
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={detailId}
        className="flex min-h-11 w-full items-center gap-3 rounded-field py-2 text-left"
        onClick={() => setChosenOpen(!isOpen)}
      >
        <StepHead title={title} state={state} />
        <ChevronDown
          className={classNames(
            'ml-auto size-4 shrink-0 text-muted transition-[rotate] duration-120',
            isOpen && 'rotate-180',
          )}
          strokeWidth={1.75}
          aria-hidden="true"
        />
      </button>
      <div id={detailId} hidden={!isOpen} className="pb-4 pl-7">
        {meaning !== '' && <p className="wrap-anywhere">{meaning}</p>}
        <dl className="mt-3 grid gap-3 first:mt-0">
          <Exchange label="Perguntamos" text={asked} />
          <Exchange label="O banco respondeu" text={answered} />
        </dl>
      </div>
    </li>
  );
}

function StepHead({ title, state }: Pick<CheckStep, 'title' | 'state'>) {
  const glyph = glyphs[state];
  const isLeftOut = state === 'skipped' || state === 'not-run';
  const isAhead = state === 'waiting' || isLeftOut;
  return (
    <>
      <span className="grid size-4 shrink-0 place-items-center text-primary-glyph">
        {state === 'running' && <Spinner />}
        {state === 'waiting' && <span className="size-1.5 rounded-full bg-control" />}
        {state === 'skipped' && <span className="h-px w-2.5 bg-control" />}
        {glyph !== undefined && <Glyph name={glyph} className="size-4" />}
      </span>
      <span className={isAhead ? 'min-w-0 wrap-anywhere text-muted' : 'min-w-0 font-medium wrap-anywhere'}>
        {title}
        <span className={isLeftOut ? undefined : 'sr-only'}>: {stateWords[state]}</span>
      </span>
    </>
  );
}

function Exchange({ label, text }: { label: string; text: string }) {
  if (text === '') return null;
  return (
    <div>
      <dt className="text-xs font-medium text-muted">{label}</dt>
      <dd className="mt-1 rounded-field border border-base-300 bg-base-200 px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere">
        {text}
      </dd>
    </div>
  );
}
