import { type ClipboardEvent, type FormEvent, type Ref, useLayoutEffect, useRef } from 'react';
import { Field, type FieldLook } from './field.tsx';
import { centsAsTyped, centsFromDigits, centsFromPaste } from './money-cents.ts';

/** One digit more than any amount of the product has. */
const TYPABLE_CENTS = 99_999_999_999;

export type MoneyFieldProps = FieldLook & {
  /** Integer cents; null while nothing is typed. */
  cents: number | null;
  onCents: (cents: number | null) => void;
  name?: string;
  autoFocus?: boolean;
  /** `large`: 56 high with a big figure, the one field of its form. */
  size?: 'normal' | 'large';
  disabled?: boolean;
  className?: string;
  ref?: Ref<HTMLInputElement>;
};

/** An amount that fills from the cents, as on a card terminal: 1, 2, 5 → 1,25. A pasted "1.250,00" is read as such. */
export function MoneyField({
  label,
  labelHidden,
  hint,
  error,
  cents,
  onCents,
  size = 'large',
  className,
  ref,
  ...input
}: MoneyFieldProps) {
  const own = useRef<HTMLInputElement>(null);
  const shown = centsAsTyped(cents);
  // Digits enter at the right end only: the caret is put there after every change and wherever else it is set.
  const moveCaretToEnd = (element: HTMLInputElement) => {
    const end = element.value.length;
    if (element.selectionStart === element.selectionEnd && element.selectionEnd !== end) {
      element.setSelectionRange(end, end);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is what moves the caret
  useLayoutEffect(() => {
    if (own.current !== null && document.activeElement === own.current) moveCaretToEnd(own.current);
  }, [shown]);

  const type = (event: FormEvent<HTMLInputElement>) => {
    const next = centsFromDigits(event.currentTarget.value, TYPABLE_CENTS);
    // Deleting the last digit of 0,01 leaves 0,00; that is an empty field.
    if (next === 0 && (cents ?? 0) > 0) onCents(null);
    else if (next !== null || event.currentTarget.value === '') onCents(next);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    const pasted = centsFromPaste(event.clipboardData.getData('text'));
    if (pasted !== null && pasted <= TYPABLE_CENTS) onCents(pasted);
  };
  const large = size === 'large';
  return (
    <Field label={label} labelHidden={labelHidden ?? false} hint={hint} error={error} className={className}>
      {(control) => (
        <span className={large ? 'input field-money' : 'input'}>
          <span className="text-base text-muted" aria-hidden="true">
            R$
          </span>
          <input
            {...input}
            {...control}
            ref={(element) => {
              own.current = element;
              if (typeof ref === 'function') ref(element);
              else if (ref) ref.current = element;
            }}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            placeholder="0,00"
            className={`tabular-nums font-strong ${large ? 'text-lg' : ''}`}
            value={shown}
            onChange={type}
            onPaste={paste}
            onSelect={(event) => moveCaretToEnd(event.currentTarget)}
          />
        </span>
      )}
    </Field>
  );
}
