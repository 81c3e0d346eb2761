import type { ComponentProps } from 'react';
import { Field, type FieldBaseProps } from './field.tsx';

export type TextAreaProps = FieldBaseProps & ComponentProps<'textarea'>;

/**
 * A text field of several lines. It accepts all props of a textarea, but `className` applies to the whole field with
 * its label.
 */
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
