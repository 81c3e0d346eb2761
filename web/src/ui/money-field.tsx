import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Field, type FieldLook } from './field.tsx';
import {
  centsAsTyped,
  centsFromDigits,
  centsFromReais,
  isSignOfReais,
  type ReadAmount,
  wholeFromTyped,
} from './money-cents.ts';

/** The largest amount that can be typed; it has one digit more than any amount in the product. */
const MAX_TYPED_CENTS = 99_999_999_999;
const PASTE_REFUSED = 'Cole só o valor, como 25,90.';
const TOO_LARGE = 'O maior valor possível aqui é R$ 999.999.999,99.';

export type MoneyFieldProps = FieldLook & {
  /** Integer cents; null while the field is empty. */
  cents: number | null;
  onCents: (cents: number | null) => void;
  /** Parses a complete amount as people write it. */
  readAmount: ReadAmount;
  name?: string;
  autoFocus?: boolean;
  /** `large`: 56 px high with a large figure, for the only field of a form. */
  size?: 'normal' | 'large';
  disabled?: boolean;
  /** Rendered inside the field, at its end. */
  after?: ReactNode;
  className?: string;
  ref?: Ref<HTMLInputElement>;
};

/** An amount being typed with a separator or currency sign: its text and its value. */
type Draft = { text: string; cents: number | null };

/**
 * An amount that fills from the cents, as on a card terminal: 1, 2, 5 → 1,25. Typing a comma or point turns the
 * digits so far into whole reais: 1 5 0 , 5 → 150,50; so does typing R$ first. Pasted text must be one complete
 * amount.
 */
export function MoneyField({
  label,
  labelHidden,
  hint,
  error,
  cents,
  onCents,
  readAmount,
  size = 'large',
  after,
  className,
  ref,
  ...input
}: MoneyFieldProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const amount = useTypedAmount({ cents, inputRef, onCents, readAmount });
  const isLarge = size === 'large';
  return (
    <Field
      label={label}
      labelHidden={labelHidden ?? false}
      hint={hint}
      error={amount.refusal ?? error}
      className={className}
    >
      {(control) => (
        <span className={isLarge ? 'input field-money' : 'input'}>
          <span className="text-base text-muted" aria-hidden="true">
            R$
          </span>
          <input
            {...input}
            {...control}
            ref={(element) => {
              inputRef.current = element;
              if (typeof ref === 'function') ref(element);
              else if (ref) ref.current = element;
            }}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            placeholder="0,00"
            className={`tabular-nums font-strong ${isLarge ? 'text-lg' : ''}`}
            value={amount.text}
            onChange={amount.onType}
            onPaste={amount.onPaste}
            onDrop={amount.onDrop}
            onBlur={amount.endDraft}
            onSelect={(event) => moveCaretToEnd(event.currentTarget)}
          />
          {after}
        </span>
      )}
    </Field>
  );
}

type UseTypedAmountOptions = {
  cents: number | null;
  inputRef: RefObject<HTMLInputElement | null>;
  onCents: (cents: number | null) => void;
  readAmount: ReadAmount;
};

/**
 * The text of the field, and its handlers for typing, pasting and dropping. `refusal` says why the last input was not
 * accepted.
 */
function useTypedAmount({ cents, inputRef, onCents, readAmount }: UseTypedAmountOptions) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [refusal, setRefusal] = useState<string>();
  // A draft is stale once its amount was changed from outside.
  const isDraftCurrent = draft !== null && draft.cents === cents;
  const shownText = isDraftCurrent ? draft.text : centsAsTyped(cents);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is the reason to move the caret
  useLayoutEffect(() => {
    const input = inputRef.current;
    if (input !== null && document.activeElement === input) moveCaretToEnd(input);
  }, [shownText]);

  const typeSign = (text: string) => {
    setDraft({ text, cents: null });
    onCents(null);
  };
  const typeReais = (text: string) => {
    const newCents = centsFromReais(text, readAmount);
    if (newCents === undefined) return;
    if (newCents > MAX_TYPED_CENTS) return setRefusal(TOO_LARGE);
    setDraft({ text, cents: newCents });
    onCents(newCents);
  };
  const typeDigits = (text: string) => {
    const newCents = centsFromDigits(text, MAX_TYPED_CENTS);
    if (newCents === null && text !== '') return setRefusal(/\d/.test(text) ? TOO_LARGE : undefined);
    setDraft(null);
    // Deleting the last digit of 0,01 leaves 0,00, which counts as empty.
    onCents(newCents === 0 && text.length < shownText.length ? null : newCents);
  };
  const onType = (event: FormEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value;
    setRefusal(undefined);
    if (isSignOfReais(text)) typeSign(text);
    else if (/^R?\$/i.test(text) || (isDraftCurrent && /[.,]/.test(text)))
      typeReais(text.replace(/^R?\$/i, 'R$'));
    else if (/[.,]$/.test(text)) typeReais(wholeFromTyped(text));
    else if (isReplaced(shownText, text, readAmount)) typeReais(text);
    else typeDigits(text);
  };
  const insertAmount = (text: string) => {
    const newCents = readAmount(text);
    if (newCents === undefined) return setRefusal(PASTE_REFUSED);
    if (newCents > MAX_TYPED_CENTS) return setRefusal(TOO_LARGE);
    setRefusal(undefined);
    setDraft(null);
    onCents(newCents);
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    insertAmount(event.clipboardData.getData('text'));
  };
  const onDrop = (event: DragEvent<HTMLInputElement>) => {
    event.preventDefault();
    insertAmount(event.dataTransfer.getData('text'));
  };

  return { text: shownText, refusal, onType, onPaste, onDrop, endDraft: () => setDraft(null) };
}

/** Digits enter only at the right end, so the caret returns there after every change and selection. */
function moveCaretToEnd(element: HTMLInputElement): void {
  const end = element.value.length;
  if (element.selectionStart === element.selectionEnd && element.selectionEnd !== end) {
    element.setSelectionRange(end, end);
  }
}

/** True when a text with its own separators was inserted at once (a keyboard suggestion), not digit by digit. */
function isReplaced(shownText: string, text: string, readAmount: ReadAmount): boolean {
  const isEdited = shownText !== '' && (text.startsWith(shownText) || shownText.startsWith(text));
  return !isEdited && readAmount(text) !== undefined && /[.,]/.test(text);
}
