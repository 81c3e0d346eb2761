import { staffReason } from '@jangada/contract';
import { type ReactNode, useRef, useState } from 'react';
import { TextArea } from '../../ui/index.ts';
import { FormDialog } from '../confirm/form-dialog.tsx';

const REASON_MAX_LENGTH = 500;

type StaffReasonDialogProps = {
  title: string;
  /** What the act does. */
  children: ReactNode;
  submit: string;
  hint: string;
  failure: string;
  /** What the field begins with: the reason under which others approved the act. */
  initialReason?: string;
  /** Shown above the fields. */
  notices?: ReactNode;
  /** Further fields, above the reason. */
  fields?: ReactNode;
  /** Checks the further fields. */
  validate?: () => boolean;
  onReason: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

/** Asks staff why they do something to an account. */
export function StaffReasonDialog(props: StaffReasonDialogProps) {
  const { title, children, submit, hint, failure, onReason, onClose } = props;
  const [reason, setReason] = useState(props.initialReason ?? '');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const send = async () => {
    if (props.validate?.() === false) return false;
    const read = staffReason.safeParse(reason);
    if (!read.success) {
      setProblem(read.error.issues[0]?.message);
      field.current?.focus();
      return false;
    }
    await onReason(read.data);
    return true;
  };
  return (
    <FormDialog
      title={title}
      submit={submit}
      size="normal"
      failure={failure}
      onClose={onClose}
      onSubmit={send}
    >
      <p className="text-muted">{children}</p>
      {props.notices}
      {props.fields}
      <TextArea
        ref={field}
        data-autofocus
        label="Motivo"
        name="reason"
        rows={3}
        required
        maxLength={REASON_MAX_LENGTH}
        hint={hint}
        value={reason}
        error={problem}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
    </FormDialog>
  );
}
