import { Download } from 'lucide-react';
import { saveFile } from '../../panel/save-file.ts';
import { Button, CopyButton, Dialog } from '../../ui/index.ts';

type RecoveryCodesDialogProps = { codes: readonly string[]; onClose: () => void };

/** Shows the new recovery codes, which cannot be read again later. Each code replaces a lost second factor once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const text = `${codes.join('\n')}\n`;
  const save = () => saveFile(new Blob([text], { type: 'text/plain' }), 'jangada-codigos-de-recuperacao.txt');
  return (
    <Dialog
      open
      onClose={onClose}
      title="Guarde os códigos de recuperação"
      size="small"
      // Only the button closes the dialog, so that the user confirms having kept the codes.
      locked
      footer={
        <Button variant="primary" data-autofocus onClick={onClose}>
          Já guardei
        </Button>
      }
    >
      <p className="text-muted">
        Se você perder o celular ou o aparelho, cada código abre a conta uma vez. Eles não serão mostrados de
        novo.
      </p>
      <ul
        aria-label="Códigos de recuperação"
        className="mt-4 grid grid-cols-2 gap-x-4 gap-y-2 rounded-field border border-base-300 bg-base-200 p-4 text-center font-mono text-xs select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 grid grid-cols-2 gap-3">
        <CopyButton block text={text} label="Copiar" />
        <Button
          block
          icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={save}
        >
          Salvar
        </Button>
      </div>
    </Dialog>
  );
}
