import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';

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
