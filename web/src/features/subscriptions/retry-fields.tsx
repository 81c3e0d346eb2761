import { SUBSCRIPTION_LIMITS } from '@jangada/contract';
import { useId } from 'react';
import { FieldNote, SegmentedControl } from '../../ui/index.ts';
import { chosenRetryDays, retryDaysOf } from './subscription-draft.ts';
import type { DraftProps } from './subscription-form.tsx';

/** Whether a failed debit is tried again, and on which days after it. */
export function RetryFields({ draft, problems, onChange }: DraftProps) {
  const noteId = useId();
  const chosen = chosenRetryDays(draft);
  return (
    <div className="grid grid-cols-1 gap-3">
      <SegmentedControl
        label="Se o débito falhar"
        labelShown
        size="normal"
        block
        segments={[
          { value: 'yes', label: 'Tentar de novo' },
          { value: 'no', label: 'Não tentar' },
        ]}
        value={draft.retries ? 'yes' : 'no'}
        onChange={(value) => onChange({ retries: value === 'yes' })}
        {...(!draft.retries && { hint: 'Vale para sempre: o banco guarda esta escolha na autorização.' })}
      />
      {draft.retries && (
        <fieldset aria-describedby={noteId}>
          <legend className="mb-1.5 font-label">Quantos dias depois</legend>
          <div className="flex flex-wrap gap-2">
            {retryDaysOf(draft.period).map((day) => (
              <DayChoice
                key={day}
                day={day}
                isChosen={chosen.includes(day)}
                isInvalid={problems.retryDays !== undefined}
                isFull={chosen.length >= SUBSCRIPTION_LIMITS.retriesMax}
                onToggle={(isChosen) => {
                  const others = chosen.filter((other) => other !== day);
                  const retryDays = isChosen ? [...others, day].toSorted((a, b) => a - b) : others;
                  onChange({ retryDays });
                }}
              />
            ))}
          </div>
          <FieldNote
            id={noteId}
            hint={`Até ${SUBSCRIPTION_LIMITS.retriesMax} tentativas, uma por dia.`}
            error={problems.retryDays}
          />
        </fieldset>
      )}
    </div>
  );
}

type DayChoiceProps = {
  day: number;
  isChosen: boolean;
  isFull: boolean;
  isInvalid: boolean;
  onToggle: (isChosen: boolean) => void;
};

function DayChoice({ day, isChosen, isFull, isInvalid, onToggle }: DayChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-2 rounded-field border border-base-300 px-3 tabular-nums has-checked:bg-base-200 has-checked:font-medium has-disabled:cursor-not-allowed has-disabled:text-muted md:min-h-9">
      <input
        type="checkbox"
        aria-label={day === 1 ? '1 dia depois' : `${day} dias depois`}
        className="size-4 shrink-0 cursor-pointer accent-primary disabled:cursor-not-allowed"
        aria-invalid={isInvalid || undefined}
        checked={isChosen}
        disabled={isFull && !isChosen}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      {day}
    </label>
  );
}
