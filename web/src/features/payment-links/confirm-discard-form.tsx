import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { Button, Notice } from '../../ui/index.ts';

type GuardedFormProps = ComponentProps<typeof FormDialog> & {
  /** True when closing would lose typed changes. */
  edited: boolean;
  /** The errors by field. After a submit the first invalid field is focused. */
  problems: object;
};

/** A form in a dialog. Closing the dialog asks for confirmation if typed changes would be lost. */
export function ConfirmDiscardForm({
  edited,
  problems,
  onClose,
  onSubmit,
  children,
  ...form
}: GuardedFormProps) {
  const [isDiscarding, setIsDiscarding] = useState(false);
  // When Esc is pressed repeatedly, browsers close the form's dialog without asking. If the user then chooses to keep
  // editing, a new React key opens the dialog again.
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
        {...form}
        onSubmit={submit}
        onClose={() => (edited ? setIsDiscarding(true) : onClose())}
      >
        <div ref={fields} className="contents">
          {children}
        </div>
      </FormDialog>
      <ConfirmDialog
        open={isDiscarding}
        onClose={() => {
          setIsDiscarding(false);
          setDialogKey(dialogKey + 1);
        }}
        title="Descartar alterações?"
        confirm="Descartar"
        onConfirm={async () => onClose()}
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
