import { Eye, EyeOff } from 'lucide-react';
import { type Ref, useState } from 'react';
import { classNames } from './class-names.ts';
import { Field, type FieldBaseProps } from './field.tsx';

export type PinFieldProps = FieldBaseProps & {
  /** The digits that the user has entered so far. */
  value: string;
  onValue: (digits: string) => void;
  length?: number;
  name?: string;
  autoFocus?: boolean;
  disabled?: boolean;
  /** Centres the cells, and the hint or error below them. */
  centred?: boolean;
  className?: string;
  ref?: Ref<HTMLInputElement>;
};

/**
 * A field for a PIN, drawn as one cell for each digit. The cells show dots until the user chooses to show the digits.
 * One invisible input lies over the cells, so that typing, pasting, deleting and screen readers work as in any other
 * field.
 */
export function PinField({
  label,
  hint,
  error,
  value,
  onValue,
  length = 4,
  centred = false,
  className,
  ...input
}: PinFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      label={label}
      labelHidden
      hint={hint}
      error={error}
      className={classNames(centred && 'text-center [&>[aria-live]>p]:justify-center', className)}
    >
      {(control) => (
        <div className={classNames('w-65 max-w-full', centred && 'mx-auto')}>
          <div className="mb-1.5 flex items-center justify-between">
            <span aria-hidden="true" className="font-label">
              {label}
            </span>
            <ShowButton isShown={isShown} label={label} onToggle={setIsShown} />
          </div>
          <div className="group relative">
            <input
              {...input}
              {...control}
              type={isShown ? 'text' : 'password'}
              inputMode="numeric"
              // Browsers ignore "off" and would save the PIN as a password, or fill a password in. The attribute below
              // keeps the extension 1Password away as well.
              autoComplete="one-time-code"
              data-1p-ignore=""
              spellCheck={false}
              className="absolute inset-0 z-10 size-full cursor-text opacity-0"
              value={value}
              onChange={(event) => onValue(event.currentTarget.value.replace(/\D/g, '').slice(0, length))}
              onSelect={(event) => moveCaretToEnd(event.currentTarget)}
            />
            <Cells length={length} value={value} isShown={isShown} />
          </div>
        </div>
      )}
    </Field>
  );
}

type ShowButtonProps = { isShown: boolean; label: string; onToggle: (isShown: boolean) => void };

function ShowButton({ isShown, label, onToggle }: ShowButtonProps) {
  const Icon = isShown ? EyeOff : Eye;
  return (
    <button
      type="button"
      className="-my-1.5 -mr-2 inline-flex h-8 items-center gap-1.5 rounded-field px-2 text-xs font-medium text-muted"
      aria-pressed={isShown}
      aria-label={isShown ? `Esconder ${label}` : `Mostrar ${label}`}
      onClick={() => onToggle(!isShown)}
    >
      <Icon className="size-4" strokeWidth={1.75} aria-hidden="true" />
      {isShown ? 'Esconder' : 'Mostrar'}
    </button>
  );
}

type CellsProps = { length: number; value: string; isShown: boolean };

function Cells({ length, value, isShown }: CellsProps) {
  return (
    <div aria-hidden="true" className="flex justify-between gap-1">
      {Array.from({ length }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its position
          key={index}
          data-active={index === Math.min(value.length, length - 1) || undefined}
          className={cellClass}
        >
          <CellContent digit={value[index]} isShown={isShown} />
        </span>
      ))}
    </div>
  );
}

const cellClass = classNames(
  'grid h-16 w-14 place-items-center rounded-field border border-control text-lg font-strong tabular-nums',
  'transition-[border-color,box-shadow] duration-120 group-has-aria-invalid:border-error',
  'data-active:group-focus-within:border-primary data-active:group-focus-within:ring-3 data-active:group-focus-within:ring-primary/22',
);

/** The content of a cell: the digit or a dot in its place. An empty cell shows a caret while it is the next to fill. */
function CellContent({ digit, isShown }: { digit: string | undefined; isShown: boolean }) {
  if (digit === undefined)
    return <span className="hidden h-6 w-px bg-base-content group-focus-within:in-data-active:block" />;
  return isShown ? digit : <span className="size-2.5 rounded-full bg-base-content" />;
}

/** Digits are entered and deleted only at the end, so the caret returns there after every press. */
function moveCaretToEnd(element: HTMLInputElement) {
  const end = element.value.length;
  if (element.selectionStart === element.selectionEnd && element.selectionEnd !== end) {
    element.setSelectionRange(end, end);
  }
}
