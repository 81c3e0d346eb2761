import type { ComponentProps } from 'react';
import { Field, type FieldLook } from './field.tsx';

export type TextAreaProps = FieldLook & ComponentProps<'textarea'>;

/** Several lines of text. Takes everything a textarea takes; `className` goes to the whole field. */
export function TextArea({ label, labelHidden, hint, error, id, className, ...textarea }: TextAreaProps) {
  return (
    <Field
      label={label}
      labelHidden={labelHidden ?? false}
      hint={hint}
      error={error}
      id={id}
      className={className}
    >
      {(control) => (
        <span className="input input-area">
          <textarea rows={8} {...textarea} {...control} />
        </span>
      )}
    </Field>
  );
}
