import { type ReactNode, useRef, useState } from 'react';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { TextArea, toast } from '../../ui/index.ts';
import { refetchAdminLists } from './admin-queries.ts';

type ReasonDialogProps = {
  title: string;
  /** Shown above the text field: the consequences of the action, and further fields. */
  children?: ReactNode;
  /** The label of the text field, which takes the reason or the evidence. */
  label: string;
  hint?: string;
  /** What the text field begins with: the reason under which others approved the action. */
  initialText?: string;
  /** The minimum length of the text; 3 characters by default. */
  minLength?: number;
  maxLength: number;
  /** The error for a text that is too short. */
  tooShortError: string;
  /** The label of the submit button. */
  submitLabel: string;
  /** True for an action that cannot be undone, or that takes something away. */
  danger?: boolean;
  /** Checks the further fields in `children`, and returns false when one of them is invalid. */
  validate?: () => boolean;
  /** Performs the action with the text. */
  onSend: (text: string) => Promise<unknown>;
  /** Shown after the action. A function can make the message depend on the result. */
  successMessage: string | (() => string);
  /** The error message if the server sends none. */
  failure: string;
  onClose: () => void;
};

/**
 * Asks an administrator for a reason or evidence, which goes into the audit log, and then performs the action. When the
 * action fails, the dialog stays open and shows the error.
 */
export function ReasonDialog(props: ReasonDialogProps) {
  const { label, hint, minLength = 3, maxLength, tooShortError, submitLabel, danger = false } = props;
  const [text, setText] = useState(props.initialText ?? '');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);

  const submit = async () => {
    if (props.validate?.() === false) return false;
    if (text.trim().length < minLength) {
      setProblem(tooShortError);
      field.current?.focus();
      return false;
    }
    try {
      await props.onSend(text.trim());
      toast(typeof props.successMessage === 'string' ? props.successMessage : props.successMessage());
      return true;
    } finally {
      // Even after a refusal the lists are fetched again, because a refusal usually means that they were out of date.
      void refetchAdminLists();
    }
  };
  return (
    <FormDialog
      title={props.title}
      submit={submitLabel}
      danger={danger}
      size="normal"
      failure={props.failure}
      onClose={props.onClose}
      onSubmit={submit}
    >
      {props.children}
      <TextArea
        ref={field}
        label={label}
        hint={hint ?? 'Fica no registro de auditoria.'}
        error={problem}
        rows={3}
        maxLength={maxLength}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}
