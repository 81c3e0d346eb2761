import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { classNames } from './class-names.ts';
import { Glyph } from './glyph.tsx';

export type FieldBaseProps = {
  label: string;
  /** Hides the label from everybody but screen readers, for search and filter fields. */
  labelHidden?: boolean;
  hint?: ReactNode;
  /** The error below the field. Screen readers announce it, and read it with the field. */
  error?: string | undefined;
};

/** The props that the control inside a field must spread. */
export type ControlProps = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/**
 * A form field: the label, below it the control that `children` renders, and below the control the hint. An error
 * replaces the hint.
 */
export function Field({
  label,
  labelHidden = false,
  hint,
  error,
  id: idProp,
  className,
  children,
}: FieldBaseProps & {
  id?: string | undefined;
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}) {
  const generatedId = useId();
  const id = idProp ?? generatedId;
  const noteId = `${id}-note`;
  const hasNote = error !== undefined || hint !== undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'mb-1.5 block font-label'}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  );
}

/**
 * The error below a field, or the hint while there is no error. The live region exists from the start, because an error
 * in a region that is added later would not be announced.
 */
export function FieldNote({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | undefined }) {
  return (
    <div id={id} aria-live="polite" className="text-xs">
      <NoteText hint={hint} error={error} />
    </div>
  );
}

function NoteText({ hint, error }: { hint: ReactNode; error: string | undefined }) {
  if (error !== undefined)
    return (
      <p className="mt-1.5 flex items-start gap-1.5 font-medium text-error">
        <Glyph name="failed" className="mt-0.5 size-3" />
        {error}
      </p>
    );
  return hint === undefined ? null : <p className="mt-1.5 text-muted">{hint}</p>;
}

export type TextFieldProps = FieldBaseProps &
  Omit<ComponentProps<'input'>, 'children'> & {
    /** Rendered inside the field, before the text. */
    before?: ReactNode;
    /** Rendered inside the field, after the text. */
    after?: ReactNode;
    /** The border of the field: `line` is lighter, for filter bars. */
    look?: 'control' | 'line';
    fieldClassName?: string;
  };

/**
 * A single-line text field. It accepts all props of an input, including `ref`, but `className` applies to the whole
 * field with its label.
 */
export function TextField({
  label,
  labelHidden,
  hint,
  error,
  id,
  before,
  after,
  look = 'control',
  className,
  fieldClassName,
  ...input
}: TextFieldProps) {
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
        <span className={classNames('input', look === 'line' && 'field-line', fieldClassName)}>
          {before}
          <input type="text" {...input} {...control} />
          {after}
        </span>
      )}
    </Field>
  );
}

/** A password field with a button that shows and hides the text. `secretName` is what the button calls the text. */
export function PasswordField({
  secretName = 'senha',
  ...props
}: Omit<TextFieldProps, 'type' | 'after'> & { secretName?: string }) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      autoComplete="current-password"
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={isShown ? 'text' : 'password'}
      after={
        <button
          type="button"
          className="-mr-2 grid size-8 shrink-0 place-items-center rounded-field text-muted"
          aria-label={`${isShown ? 'Esconder' : 'Mostrar'} ${secretName}`}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    />
  );
}
