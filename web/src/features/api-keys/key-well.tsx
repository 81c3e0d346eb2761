import { Copy } from 'lucide-react';
import { useState } from 'react';
import { PasswordDialog } from '../../panel/confirm/password-dialog.tsx';
import { maskSecret, SecretWell } from '../../panel/secret/secret-well.tsx';
import { CopyButton, IconButton, StatusBadge, showCopyFailure, toast } from '../../ui/index.ts';
import { KEY_REASON } from './use-api-key.tsx';

/** In English, as the specification that this dashboard follows prescribes. */
const COPIED = 'API key copied to clipboard';

type KeyWellProps = {
  /** The whole key; null until the user has entered the password. */
  apiKey: string | null;
  /** The key with most of its characters hidden, as the gateway sent it. */
  masked: string | null;
  /** Fetches the whole key from the gateway, which checks the password. */
  onReveal: (password: string) => Promise<{ key: string }>;
};

/**
 * The API key, masked at first. If the server requires the password, the user must enter it to show or copy the key.
 */
export function KeyWell({ apiKey, masked, onReveal }: KeyWellProps) {
  const [isShown, setIsShown] = useState(false);
  /** Why the password dialog is open; null while it is closed. */
  const [passwordPurpose, setPasswordPurpose] = useState<'show' | 'copy' | null>(null);
  const isVisible = isShown && apiKey !== null;
  const maskedKey = masked ?? (apiKey === null ? maskSecret('') : maskSecret(apiKey));

  /** Fetches the whole key, and then shows or copies it. */
  const revealKey = async (password: string) => {
    const { key } = await onReveal(password);
    if (passwordPurpose === 'show') return setIsShown(true);
    try {
      await navigator.clipboard.writeText(key);
      toast(COPIED);
    } catch {
      showCopyFailure();
    }
  };
  return (
    <>
      <SecretWell
        name="chave"
        text={isVisible ? apiKey : maskedKey}
        isShown={isVisible}
        onToggle={() => (apiKey === null ? setPasswordPurpose('show') : setIsShown(!isShown))}
        copy={
          apiKey === null ? (
            <IconButton
              size="small"
              className="text-muted"
              label="Copiar chave"
              icon={<Copy className="size-4" strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => setPasswordPurpose('copy')}
            />
          ) : (
            <CopyButton iconOnly text={apiKey} label="Copiar chave" toastMessage={COPIED} />
          )
        }
      />
      <PasswordDialog
        open={passwordPurpose !== null}
        onClose={() => setPasswordPurpose(null)}
        onPassword={revealKey}
        reason={KEY_REASON}
      />
    </>
  );
}

export type KeyStatus = { hasKey: boolean; active: boolean };

/** Whether there is a key, and whether it can be used. */
export function KeyStatusBadge({ hasKey, active }: KeyStatus) {
  // Without a key there is no status, so the badge has no glyph.
  if (!hasKey) return <span className="badge bg-grey-tint text-grey">Nenhuma</span>;
  return active ? (
    <StatusBadge status="done">Ativa</StatusBadge>
  ) : (
    <StatusBadge status="gone">Inativa</StatusBadge>
  );
}
