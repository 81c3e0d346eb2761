import { useSupports } from '../../api/provider.ts';
import { Button, CopyButton, Dialog, Notice } from '../../ui/index.ts';

/** Shows the account's API key that was just generated. The dialog is open while `apiKey` is not null. */
export function NewKeyDialog({
  apiKey,
  active,
  onClose,
}: {
  apiKey: string | null;
  active: boolean;
  onClose: () => void;
}) {
  const asksPassword = useSupports('passwordToShowKey');
  return (
    <Dialog
      open={apiKey !== null}
      onClose={onClose}
      title="Sua nova chave de API"
      footer={
        <>
          <Button onClick={onClose}>Fechar</Button>
          <CopyButton
            variant="primary"
            text={apiKey ?? ''}
            label="Copiar chave"
            toastMessage="API key copied to clipboard"
          />
        </>
      }
    >
      <p className="mb-4 text-muted">
        Guarde a chave em um lugar seguro, como as variáveis de ambiente do seu servidor.
        {asksPassword && ' Para vê-la de novo depois, sua senha será pedida.'}
      </p>
      <code className="block rounded-field border border-base-300 bg-base-200 p-3 font-mono text-xs leading-5 break-all select-all">
        {apiKey}
      </code>
      {!active && (
        <Notice tone="info" className="mt-4">
          A chave ainda está inativa. Fale com o suporte para ativá-la.
        </Notice>
      )}
    </Dialog>
  );
}
