import { Copy } from 'lucide-react';
import { useState } from 'react';
import { PasswordDialog } from '../../panel/confirm/password-dialog.tsx';
import { maskSecret, SecretWell } from '../../panel/secret/secret-well.tsx';
import { CopyButton, copyFailed, IconButton, StatusBadge, toast } from '../../ui/index.ts';
import { KEY_REASON } from './use-api-key.tsx';

const COPIED = 'API key copied to clipboard';

type KeyWellProps = {
  /** Null until the password has been given. */
  apiKey: string | null;
  masked: string | null;
  onReveal: (password: string) => Promise<{ key: string }>;
};

/** The API key, masked; showing or copying it asks for the password if the server requires it. */
export function KeyWell({ apiKey, masked, onReveal }: KeyWellProps) {
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState<'show' | 'copy' | null>(null);
  const visible = shown && apiKey !== null;
  const hidden = masked ?? (apiKey === null ? maskSecret('') : maskSecret(apiKey));

  const revealed = async (password: string) => {
    const { key } = await onReveal(password);
    if (asking === 'show') return setShown(true);
    try {
      await navigator.clipboard.writeText(key);
      toast(COPIED);
    } catch {
      copyFailed();
    }
  };
  return (
    <>
      <SecretWell
        name="chave"
        text={visible ? apiKey : hidden}
        shown={visible}
        onToggle={() => (apiKey === null ? setAsking('show') : setShown(!shown))}
        copy={
          apiKey === null ? (
            <IconButton
              size="small"
              className="text-muted"
              label="Copiar chave"
              icon={<Copy className="size-4" strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => setAsking('copy')}
            />
          ) : (
            <CopyButton iconOnly text={apiKey} label="Copiar chave" toasts={COPIED} />
          )
        }
      />
      <PasswordDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        onPassword={revealed}
        reason={KEY_REASON}
      />
    </>
  );
}

export type KeyStatus = { hasKey: boolean; active: boolean };

export function KeyStatusBadge({ hasKey, active }: KeyStatus) {
  // Without a key there is no state to show, only a word.
  if (!hasKey) return <span className="badge bg-grey-tint text-grey">Nenhuma</span>;
  return active ? (
    <StatusBadge status="done">Ativa</StatusBadge>
  ) : (
    <StatusBadge status="gone">Inativa</StatusBadge>
  );
}
