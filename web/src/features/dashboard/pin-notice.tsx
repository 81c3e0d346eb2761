import { LockKeyhole } from 'lucide-react';
import { useRef, useState } from 'react';
import { SetPinDialog } from '../../panel/pin/set-pin-dialog.tsx';
import { checkPin, type PinStatus } from '../../session/pin-status.ts';
import { Button, Notice } from '../../ui/index.ts';

/** Asks an approved account for its withdrawal PIN, or says that nobody knows whether it has one. */
export function PinNotice({ status }: { status: PinStatus }) {
  const [defining, setDefining] = useState(false);
  // While it is asked again, what was said stays: the page does not jump.
  const said = useRef(status);
  if (status !== 'loading') said.current = status;
  return (
    <>
      {said.current === 'not_set' && (
        <Notice
          tone="warning"
          className="mb-5"
          icon={<LockKeyhole className="size-5" strokeWidth={1.75} aria-hidden="true" />}
          title="Defina seu PIN de saque."
          action={
            <Button size="small" onClick={() => setDefining(true)}>
              Definir PIN
            </Button>
          }
        >
          São 4 dígitos, pedidos a cada saque.
        </Notice>
      )}
      {said.current === 'error' && (
        <Notice
          tone="error"
          className="mb-5"
          action={
            <Button size="small" sending={status === 'loading'} onClick={() => void checkPin()}>
              Tentar Novamente
            </Button>
          }
        >
          Erro ao verificar status do PIN. Tente atualizar a página.
        </Notice>
      )}
      <SetPinDialog open={defining} onClose={() => setDefining(false)} />
    </>
  );
}
