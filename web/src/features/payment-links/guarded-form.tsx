import { type ComponentProps, useState } from 'react';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';

type GuardedFormProps = ComponentProps<typeof FormDialog> & {
  /** Whether closing would lose something that was typed. */
  edited: boolean;
};

/** A form in a dialog that asks before it discards what was typed. */
export function GuardedForm({ edited, onClose, ...form }: GuardedFormProps) {
  const [discarding, setDiscarding] = useState(false);
  // A browser closes a dialog by itself when Esc is pressed again and again: who goes on editing has it opened anew.
  const [returns, setReturns] = useState(0);
  return (
    <>
      <FormDialog key={returns} {...form} onClose={() => (edited ? setDiscarding(true) : onClose())} />
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
