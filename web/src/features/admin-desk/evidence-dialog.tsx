import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, Notice, TextArea, toast } from '../../ui/index.ts';
import { deskChanged } from './desk-queries.ts';

type EvidenceDialogProps = {
  title: string;
  /** What will happen, and fields of its own, above the text. */
  children?: ReactNode;
  /** What the operator writes: why, or what was seen. */
  label: string;
  hint?: string;
  /** The fewest characters that say something. */
  least?: number;
  most: number;
  /** What is wrong with less. */
  missing: string;
  /** The word on the button. */
  action: string;
  /** It cannot be undone, or takes something away. */
  grave?: boolean;
  /** What else keeps it from being sent: focus what is missing and answer false. */
  ready?: () => boolean;
  onSend: (text: string) => Promise<unknown>;
  /** Told once it is done, by what was answered. */
  done: string | (() => string);
  /** Shown where the server says nothing itself. */
  failure: string;
  onClose: () => void;
};

/** Asks an operator for the words that go into the audit log, and does it; stays open with the error when it fails. */
export function EvidenceDialog(props: EvidenceDialogProps) {
  const { label, hint, least = 3, most, missing, action, grave = false, onClose } = props;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useId();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    if (props.ready?.() === false) return;
    if (text.trim().length < least) {
      setProblem(missing);
      field.current?.focus();
      return;
    }
    setSending(true);
    try {
      await props.onSend(text.trim());
      toast(typeof props.done === 'string' ? props.done : props.done());
      onClose();
    } catch (error) {
      if (!isCancelled(error)) setFailure(errorText(error, props.failure));
      setSending(false);
    } finally {
      // A refusal says that what the screen shows is out of date, too.
      void deskChanged();
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={props.title}
      locked={sending}
      footer={
        <>
          <Button onClick={onClose} disabled={sending}>
            Cancelar
          </Button>
          <Button type="submit" form={form} variant={grave ? 'solid-danger' : 'primary'} sending={sending}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="grid gap-5">
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
        {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      </form>
    </Dialog>
  );
}
