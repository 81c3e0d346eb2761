import { Button, Code, CopyButton, Dialog } from '../../ui/index.ts';

/** Shows the secret of a new endpoint, without a password this once. */
export function NewSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Endereço adicionado"
      footer={
        <>
          <Button onClick={onClose}>Continuar</Button>
          <CopyButton variant="primary" text={secret} label="Copiar segredo" />
        </>
      }
    >
      <p className="mb-4 text-muted">
        Guarde este segredo no seu servidor. Com ele, seu código confere o cabeçalho{' '}
        <Code className="text-base-content">webhook-signature</Code> e sabe que o aviso veio de nós.
      </p>
      <code className="block rounded-field border border-base-300 bg-base-200 p-3 font-mono text-xs leading-5 break-all select-all">
        {secret}
      </code>
      <p className="mt-4 text-muted">
        Cada endereço tem o seu. Depois de fechar, ele só aparece de novo com a sua senha.
      </p>
    </Dialog>
  );
}
