import { type MaskitoOptions, maskitoTransform } from '@maskito/core';
import { useMaskito } from '@maskito/react';
import { type Ref, useCallback, useEffect, useRef } from 'react';
import { TextField, type TextFieldProps } from './field.tsx';

export type MaskedFieldProps = Omit<TextFieldProps, 'ref'> & {
  /** Give a constant, or memoise it: a new object installs the mask anew. */
  mask: MaskitoOptions;
  ref?: Ref<HTMLInputElement>;
};

/** A text that is masked as it is typed and accepts a paste. Leave it uncontrolled, or use `onInput`. */
export function MaskedField({ mask, ref, ...field }: MaskedFieldProps) {
  const maskRef = useMaskito({ options: mask });
  const input = useRef<HTMLInputElement>(null);
  // The mask acts on changes only; what was typed before it was there gets it now.
  useEffect(() => {
    const element = input.current;
    if (element !== null && element.value !== '') element.value = maskitoTransform(element.value, mask);
  }, [mask]);
  const both = useCallback(
    (element: HTMLInputElement | null) => {
      maskRef(element);
      input.current = element;
      if (typeof ref === 'function') ref(element);
      else if (ref) ref.current = element;
    },
    [maskRef, ref],
  );
  return <TextField autoComplete="off" spellCheck={false} {...field} ref={both} />;
}
