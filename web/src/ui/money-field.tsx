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

/** One digit more than any amount in the product. */
const TYPABLE_CENTS = 99_999_999_999;
const PASTE_REFUSED = 'Cole só o valor, como 25,90.';
const TOO_MUCH = 'O maior valor possível aqui é R$ 999.999.999,99.';

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
 * An amount that fills from the cents, as on a card terminal: 1, 2, 5 → 1,25. Typing a comma or point turns the digits
 * so far into whole reais: 1 5 0 , 5 → 150,50; so does typing R$ first. Pasted text must be one complete amount.
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
  const own = useRef<HTMLInputElement>(null);
  const { setDraft, refusal, shown, moveCaretToEnd, type, paste, drop } = useTypedAmount({
    cents,
    own,
    onCents,
    readAmount,
  });
  const large = size === 'large';
  return (
    <Field
      label={label}
      labelHidden={labelHidden ?? false}
      hint={hint}
      error={refusal ?? error}
      className={className}
    >
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
            onDrop={drop}
            onBlur={() => setDraft(null)}
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
  own: RefObject<HTMLInputElement | null>;
  onCents: (cents: number | null) => void;
  readAmount: ReadAmount;
};

/** The text in the field while an amount is typed, pasted or dropped. */
function useTypedAmount({ cents, own, onCents, readAmount }: UseTypedAmountOptions) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [refusal, setRefusal] = useState<string>();
  // A draft is stale once its amount was changed from outside.
  const drafting = draft !== null && draft.cents === cents;
  const shown = drafting ? draft.text : centsAsTyped(cents);
  // Digits enter only at the right end, so the caret returns there after every change and selection.
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

  const typeSign = (text: string) => {
    setDraft({ text, cents: null });
    onCents(null);
  };
  const typeReais = (text: string) => {
    const next = centsFromReais(text, readAmount);
    if (next === undefined) return;
    if (next > TYPABLE_CENTS) return setRefusal(TOO_MUCH);
    setDraft({ text, cents: next });
    onCents(next);
  };
  const typeDigits = (text: string) => {
    const next = centsFromDigits(text, TYPABLE_CENTS);
    if (next === null && text !== '') return setRefusal(/\d/.test(text) ? TOO_MUCH : undefined);
    setDraft(null);
    // Deleting the last digit of 0,01 leaves 0,00, which counts as empty.
    onCents(next === 0 && text.length < shown.length ? null : next);
  };
  const type = (event: FormEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value;
    setRefusal(undefined);
    if (isSignOfReais(text)) typeSign(text);
    else if (/^R?\$/i.test(text) || (drafting && /[.,]/.test(text))) typeReais(text.replace(/^R?\$/i, 'R$'));
    else if (/[.,]$/.test(text)) typeReais(wholeFromTyped(text));
    else if (isReplaced(shown, text, readAmount)) typeReais(text);
    else typeDigits(text);
  };
  const take = (text: string) => {
    const amount = readAmount(text);
    const taken = amount !== undefined && amount <= TYPABLE_CENTS;
    setRefusal(taken ? undefined : amount === undefined ? PASTE_REFUSED : TOO_MUCH);
    if (!taken) return;
    setDraft(null);
    onCents(amount);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    take(event.clipboardData.getData('text'));
  };
  const drop = (event: DragEvent<HTMLInputElement>) => {
    event.preventDefault();
    take(event.dataTransfer.getData('text'));
  };

  return { setDraft, refusal, shown, moveCaretToEnd, type, paste, drop };
}

/** True when a text with its own separators was inserted at once (a keyboard suggestion), not digit by digit. */
function isReplaced(shown: string, text: string, readAmount: ReadAmount): boolean {
  const grown = shown !== '' && (text.startsWith(shown) || shown.startsWith(text));
  return !grown && readAmount(text) !== undefined && /[.,]/.test(text);
}
