import { type ReactNode, useState } from 'react';
import { Button, CopyButton, Dialog, Notice } from '../../ui/index.ts';

type ShownKeyDialogProps = {
  title: string;
  apiKey: string;
  /** A remark below the key, such as how long the old key stays valid. */
  children?: ReactNode;
  onClose: () => void;
};

/**
 * Shows a new scoped key, the API key of one system of the merchant. It cannot be shown again. If the user tries to
 * close the dialog without having copied the key, the first attempt only shows a warning, and the second closes the
 * dialog.
 */
export function NewScopedKeyDialog({ title, apiKey, children, onClose }: ShownKeyDialogProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const close = () => {
    if (isCopied || isWarned) onClose();
    else setIsWarned(true);
  };
  return (
    <Dialog
      open
      onClose={close}
      title={title}
      footer={
        <>
          <Button onClick={close}>{isWarned && !isCopied ? 'Fechar sem copiar' : 'Fechar'}</Button>
          <CopyButton
            variant="primary"
            text={apiKey}
            label="Copiar chave"
            toastMessage="API key copied to clipboard"
            onCopied={() => setIsCopied(true)}
          />
        </>
      }
    >
      <p className="mb-4 text-muted">
        Copie a chave agora e guarde-a no seu servidor. Ela não será mostrada de novo: nem nós a temos.
      </p>
      <code
        className="block rounded-field border border-base-300 bg-base-200 p-3 font-mono text-xs leading-5 break-all select-all"
        onCopy={() => setIsCopied(true)}
      >
        {apiKey}
      </code>
      {children !== undefined && <p className="mt-4 text-muted">{children}</p>}
      {isWarned && !isCopied && (
        <Notice tone="warning" className="mt-4" title="A chave ainda não foi copiada.">
          Se fechar sem ela, será preciso criar outra.
        </Notice>
      )}
    </Dialog>
  );
}
