import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { Button, Notice } from '../../ui/index.ts';

type GuardedFormProps = ComponentProps<typeof FormDialog> & {
  /** True when closing would lose typed changes. */
  edited: boolean;
  /** The errors of its fields; the first one is focused. */
  problems: object;
};

/** A form in a dialog that asks before it discards what was typed. */
export function GuardedForm({ edited, problems, onClose, onSubmit, children, ...form }: GuardedFormProps) {
  const [discarding, setDiscarding] = useState(false);
  // Browsers close a dialog when Esc is pressed repeatedly: it is reopened if the user keeps editing.
  const [returns, setReturns] = useState(0);
  const fields = useRef<HTMLDivElement>(null);
  const sent = useRef(false);
  useEffect(() => {
    if (!sent.current || Object.keys(problems).length === 0) return;
    sent.current = false;
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const submit = () => {
    sent.current = true;
    return onSubmit();
  };
  return (
    <>
      <FormDialog
        key={returns}
        {...form}
        onSubmit={submit}
        onClose={() => (edited ? setDiscarding(true) : onClose())}
      >
        <div ref={fields} className="contents">
          {children}
        </div>
      </FormDialog>
      <ConfirmDialog
        open={discarding}
        onClose={() => {
          setDiscarding(false);
          setReturns(returns + 1);
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

/** True when somebody changed it after it was opened. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'STALE_VERSION';
}

/** Warns that the edits are based on an outdated version, with a button that refetches it. */
export function StaleNotice({ children, onReload }: { children: string; onReload: () => Promise<unknown> }) {
  const [reloading, setReloading] = useState(false);
  const reload = async () => {
    setReloading(true);
    await onReload().finally(() => setReloading(false));
  };
  return (
    <Notice
      tone="error"
      action={
        <Button size="small" sending={reloading} sendingWord="Carregando" onClick={reload}>
          Recarregar
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
