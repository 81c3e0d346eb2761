import type { ComponentProps } from 'react';
import { Field, type FieldLook } from './field.tsx';

export type TextAreaProps = FieldLook & ComponentProps<'textarea'>;

/** A multi-line text field. Accepts all textarea props; `className` applies to the whole field. */
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
