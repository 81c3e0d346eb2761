import { LockKeyhole } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { checkPin, type PinStatus } from '../../session/pin-status.ts';
import { Button, Notice } from '../../ui/index.ts';

const SetPinDialog = lazy(async () => ({
  default: (await import('../../panel/pin/set-pin-dialog.tsx')).SetPinDialog,
}));

/** Asks the merchant to set a withdrawal PIN, or reports that the status of the PIN is unknown. */
export function PinNotice({ status }: { status: PinStatus }) {
  /** Undefined until it is first opened: few open it, so its script is loaded only then. */
  const [isDialogOpen, setDialogOpen] = useState<boolean>();
  // While the status is read again, the previous notice stays, so that the page does not jump.
  const shownStatus = useRef(status);
  if (status !== 'loading') shownStatus.current = status;
  return (
    <>
      {shownStatus.current === 'not_set' && (
        <Notice
          tone="warning"
          className="mb-5"
          icon={<LockKeyhole className="size-5" strokeWidth={1.75} aria-hidden="true" />}
          title="Defina seu PIN de saque."
          action={
            <Button size="small" onClick={() => setDialogOpen(true)}>
              Definir PIN
            </Button>
          }
        >
          São 4 dígitos, pedidos a cada saque.
        </Notice>
      )}
      {shownStatus.current === 'error' && (
        <Notice
          tone="error"
          className="mb-5"
          action={
            <Button size="small" isSending={status === 'loading'} onClick={() => void checkPin()}>
              Tentar Novamente
            </Button>
          }
        >
          Erro ao verificar status do PIN. Tente atualizar a página.
        </Notice>
      )}
      {isDialogOpen !== undefined && (
        <Suspense>
          <SetPinDialog open={isDialogOpen} onClose={() => setDialogOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
