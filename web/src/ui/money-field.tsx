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
import { Field, type FieldBaseProps } from './field.tsx';
import {
  centsFromDigits,
  centsFromReais,
  isCurrencySign,
  type ReadAmount,
  textFromCents,
  wholeReaisFromTyped,
} from './money-cents.ts';

/** The largest amount that can be typed. All amounts in the gateway have fewer digits. */
const MAX_TYPED_CENTS = 99_999_999_999;
const PASTE_REFUSED = 'Cole só o valor, como 25,90.';
const TOO_LARGE = 'O maior valor possível aqui é R$ 999.999.999,99.';

export type MoneyFieldProps = FieldBaseProps & {
  /** Integer cents; null while the field is empty. */
  cents: number | null;
  onCents: (cents: number | null) => void;
  /** Parses a complete amount in reais, written as people write it. */
  readAmount: ReadAmount;
  name?: string;
  autoFocus?: boolean;
  /** What an empty field says; `0,00` where that is what it means. */
  placeholder?: string;
  /** `large` is 56 px high and has large digits, for the only field of a form. */
  size?: 'normal' | 'large';
  disabled?: boolean;
  /** Rendered inside the field, after the text. */
  after?: ReactNode;
  className?: string;
  ref?: Ref<HTMLInputElement>;
};

/** An amount that is being typed with a separator or the currency sign: the text as typed, and its cents. */
type Draft = { text: string; cents: number | null };

/**
 * A field for an amount, which fills from the cents as on a card terminal: typing 1, 2, 5 gives 1,25. A typed comma or
 * point turns the digits before it into whole reais: typing 150,5 gives 150,50. Digits typed after R$ are whole reais
 * as well. A pasted text must be one complete amount.
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
  placeholder = '0,00',
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
            placeholder={placeholder}
            className={`tabular-nums font-strong placeholder:font-normal ${isLarge ? 'text-lg' : ''}`}
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
 * The text of the field, and the handlers for typing, pasting and dropping. `refusal` is the message that says why the
 * last input was not accepted.
 */
function useTypedAmount({ cents, inputRef, onCents, readAmount }: UseTypedAmountOptions) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [refusal, setRefusal] = useState<string>();
  // A draft is outdated once the caller has set another amount.
  const isDraftCurrent = draft !== null && draft.cents === cents;
  const shownText = isDraftCurrent ? draft.text : textFromCents(cents);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret moves each time the text changes
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
    // A text that is not an amount is ignored, and the field keeps its previous text.
    if (newCents === undefined) return;
    if (newCents > MAX_TYPED_CENTS) return setRefusal(TOO_LARGE);
    setDraft({ text, cents: newCents });
    onCents(newCents);
  };
  const typeDigits = (text: string) => {
    const newCents = centsFromDigits(text, MAX_TYPED_CENTS);
    const isRefused = newCents === null && text !== '';
    // Letters are ignored without a message.
    if (isRefused) return setRefusal(/\d/.test(text) ? TOO_LARGE : undefined);
    setDraft(null);
    // Deleting the digit of 0,01 leaves 0,00, which then counts as an empty field.
    onCents(newCents === 0 && text.length < shownText.length ? null : newCents);
  };
  const onType = (event: FormEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value;
    setRefusal(undefined);
    const startsWithSign = /^R?\$/i.test(text);
    const continuesReais = isDraftCurrent && /[.,]/.test(text);
    const endsWithSeparator = /[.,]$/.test(text);
    // After the sign R$, or once a separator was typed, the text is an amount in reais. Only a text that is no such
    // amount is read as digits that fill from the cents, so that branch is last.
    if (isCurrencySign(text)) typeSign(text);
    else if (startsWithSign || continuesReais) typeReais(text.replace(/^R?\$/i, 'R$'));
    else if (endsWithSeparator) typeReais(wholeReaisFromTyped(text));
    else if (isInsertedAtOnce(shownText, text, readAmount)) typeReais(text);
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

/** Digits enter only at the right end, so the caret returns there after every change and every press. */
function moveCaretToEnd(element: HTMLInputElement): void {
  const end = element.value.length;
  if (element.selectionStart === element.selectionEnd && element.selectionEnd !== end) {
    element.setSelectionRange(end, end);
  }
}

/** True when an amount with separators was inserted at once, as a keyboard suggestion is, and not digit by digit. */
function isInsertedAtOnce(shownText: string, text: string, readAmount: ReadAmount): boolean {
  const isEdited = shownText !== '' && (text.startsWith(shownText) || shownText.startsWith(text));
  return !isEdited && readAmount(text) !== undefined && /[.,]/.test(text);
}
