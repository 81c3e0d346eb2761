import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Field, type FieldBaseProps } from './field.tsx';

export type SelectFieldProps = FieldBaseProps &
  ComponentProps<'select'> & {
    options: readonly { value: string; label: string }[];
    /** The border of the field: `line` is lighter, for filter bars. */
    look?: 'control' | 'line';
    fieldClassName?: string;
  };

/** A native select below its label. `className` applies to the whole field with its label. */
export function SelectField({
  label,
  labelHidden,
  hint,
  error,
  id,
  options,
  look = 'control',
  className,
  fieldClassName,
  ...select
}: SelectFieldProps) {
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
        <span className={classNames('input relative', look === 'line' && 'field-line', fieldClassName)}>
          <select
            {...select}
            {...control}
            className="-mx-3 h-full min-w-0 grow cursor-pointer appearance-none bg-transparent pr-9 pl-3"
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            className="pointer-events-none absolute right-3 size-4 text-muted"
            strokeWidth={1.75}
            aria-hidden="true"
          />
        </span>
      )}
    </Field>
  );
}
