import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Code } from '../../ui/facts.tsx';

export type RegistrationFailure = { message: string; code: string | null };

/** Says why the account was not opened. The form behind it keeps its input. */
export function RegistrationFailureDialog({
  failure,
  onClose,
}: {
  failure: RegistrationFailure | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={failure !== undefined}
      onClose={onClose}
      title="Erro no Registro"
      role="alertdialog"
      size="small"
      footer={
        <Button variant="primary" onClick={onClose}>
          Fechar
        </Button>
      }
    >
      <p>{failure?.message}</p>
      {failure?.code != null && (
        <p className="mt-2 text-xs text-muted">
          Código <Code>{failure.code}</Code>
        </p>
      )}
    </Dialog>
  );
}
