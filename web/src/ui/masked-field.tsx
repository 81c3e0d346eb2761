import { type MaskitoOptions, maskitoTransform } from '@maskito/core';
import { useMaskito } from '@maskito/react';
import { type Ref, useCallback, useEffect, useRef } from 'react';
import { TextField, type TextFieldProps } from './field.tsx';

export type MaskedFieldProps = Omit<TextFieldProps, 'ref'> & {
  /** Pass a constant or a memoised object, because each new object installs the mask again. */
  mask: MaskitoOptions;
  ref?: Ref<HTMLInputElement>;
};

/**
 * A text field that gives the typed or pasted text the form of a mask, such as the punctuation of a CPF. The mask
 * writes to the element itself, so leave the field uncontrolled, or follow its text with `onInput`.
 */
export function MaskedField({ mask, ref, ...field }: MaskedFieldProps) {
  const maskRef = useMaskito({ options: mask });
  const input = useRef<HTMLInputElement>(null);
  // The mask acts only on changes, so this effect applies the mask to the text that is already in the field.
  useEffect(() => {
    const element = input.current;
    if (element !== null && element.value !== '') element.value = maskitoTransform(element.value, mask);
  }, [mask]);
  const setRefs = useCallback(
    (element: HTMLInputElement | null) => {
      maskRef(element);
      input.current = element;
      if (typeof ref === 'function') ref(element);
      else if (ref) ref.current = element;
    },
    [maskRef, ref],
  );
  return <TextField autoComplete="off" spellCheck={false} {...field} ref={setRefs} />;
}
