import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Button, Notice } from '../../ui/index.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { FormDialog } from './form-dialog.tsx';

type ConfirmDiscardFormProps = ComponentProps<typeof FormDialog> & {
  /** True when closing would lose typed changes. */
  isEdited: boolean;
  /** The errors by field. After a submit the first invalid field is focused. */
  problems: object;
};

/** A form in a dialog. Closing the dialog asks for confirmation if typed changes would be lost. */
export function ConfirmDiscardForm({
  isEdited,
  problems,
  onClose,
  onSubmit,
  children,
  ...dialogProps
}: ConfirmDiscardFormProps) {
  const [isConfirmingDiscard, setIsConfirmingDiscard] = useState(false);
  // A browser closes the form's dialog at the second Esc in a row, whatever this component does. If the user then
  // chooses to keep editing, a new React key opens the dialog again.
  const [dialogKey, setDialogKey] = useState(0);
  const fields = useRef<HTMLDivElement>(null);
  // The focus moves only after a submit, not when editing changes the problems.
  const wasSubmitted = useRef(false);
  useEffect(() => {
    if (!wasSubmitted.current || Object.keys(problems).length === 0) return;
    wasSubmitted.current = false;
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const submit = () => {
    wasSubmitted.current = true;
    return onSubmit();
  };
  return (
    <>
      <FormDialog
        key={dialogKey}
        {...dialogProps}
        onSubmit={submit}
        onClose={() => (isEdited ? setIsConfirmingDiscard(true) : onClose())}
      >
        <div ref={fields} className="contents">
          {children}
        </div>
      </FormDialog>
      <ConfirmDialog
        open={isConfirmingDiscard}
        onClose={() => {
          setIsConfirmingDiscard(false);
          setDialogKey(dialogKey + 1);
        }}
        title="Descartar alterações?"
        confirm="Descartar"
        onConfirm={async () => onClose()}
        // Closing cannot fail, so there is no failure to describe.
        failure=""
      >
        O que você digitou ainda não foi salvo.
      </ConfirmDialog>
    </>
  );
}

/** True when a save was refused because somebody else changed the item after the form was opened. */
export function isStaleVersionError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'STALE_VERSION';
}

/** Warns that the edits are based on an outdated version, with a button that fetches the current one. */
export function StaleNotice({ children, onReload }: { children: string; onReload: () => Promise<unknown> }) {
  const [isReloading, setIsReloading] = useState(false);
  const reload = async () => {
    setIsReloading(true);
    await onReload().finally(() => setIsReloading(false));
  };
  return (
    <Notice
      tone="error"
      action={
        <Button size="small" isSending={isReloading} sendingLabel="Carregando" onClick={reload}>
          Recarregar
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
