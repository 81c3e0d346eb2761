import { type ReactNode, useRef, useState } from 'react';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { TextArea, toast } from '../../ui/index.ts';
import { deskChanged } from './desk-queries.ts';

type EvidenceDialogProps = {
  title: string;
  /** The consequences, and any extra fields, above the text. */
  children?: ReactNode;
  /** The label of the operator's text: the reason, or the evidence. */
  label: string;
  hint?: string;
  /** The fewest characters that say something. */
  least?: number;
  most: number;
  /** The error for a text that is too short. */
  missing: string;
  /** The word on the button. */
  action: string;
  /** It cannot be undone, or takes something away. */
  grave?: boolean;
  /** Further validation before sending: focuses what is missing and returns false. */
  ready?: () => boolean;
  onSend: (text: string) => Promise<unknown>;
  /** Told once it is done, by what was answered. */
  done: string | (() => string);
  /** Shown where the server says nothing itself. */
  failure: string;
  onClose: () => void;
};

/** Asks an operator for the words that go into the audit log, and does it; stays open with the error when it fails. */
export function ReasonDialog(props: EvidenceDialogProps) {
  const { label, hint, least = 3, most, missing, action, grave = false } = props;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);

  const submit = async () => {
    if (props.ready?.() === false) return false;
    if (text.trim().length < least) {
      setProblem(missing);
      field.current?.focus();
      return false;
    }
    try {
      await props.onSend(text.trim());
      toast(typeof props.done === 'string' ? props.done : props.done());
      return true;
    } finally {
      // A refusal says that what the screen shows is out of date, too.
      void deskChanged();
    }
  };
  return (
    <FormDialog
      title={props.title}
      submit={action}
      danger={grave}
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
        maxLength={most}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}
