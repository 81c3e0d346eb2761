import { type MaskitoOptions, maskitoTransform } from '@maskito/core';
import { useMaskito } from '@maskito/react';
import { type Ref, useCallback, useEffect, useRef } from 'react';
import { TextField, type TextFieldProps } from './field.tsx';

export type MaskedFieldProps = Omit<TextFieldProps, 'ref'> & {
  /** Pass a constant, or memoise the mask: a new object reinstalls it. */
  mask: MaskitoOptions;
  ref?: Ref<HTMLInputElement>;
};

/**
 * A text field that masks its text during typing and accepts pasted text. Leave it uncontrolled, or use `onInput`.
 */
export function MaskedField({ mask, ref, ...field }: MaskedFieldProps) {
  const maskRef = useMaskito({ options: mask });
  const input = useRef<HTMLInputElement>(null);
  // The mask acts only on changes; this effect applies it to text typed before the mask was installed.
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
