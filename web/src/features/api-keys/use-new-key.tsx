import { useState } from 'react';
import { PasswordDialog } from '../../panel/confirm/password-dialog.tsx';
import { wantsPassword } from '../../panel/confirm/wants-password.ts';
import { toast } from '../../ui/index.ts';
import { KEY_REASON } from './key-reason.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import type { useApiKey } from './use-api-key.ts';

type Keys = Pick<ReturnType<typeof useApiKey>, 'generate' | 'status'>;

/**
 * Making a key: the new one is shown once, and the password is asked for where the server wants it again. `make`
 * rejects with what went wrong; `dialogs` is to be drawn.
 */
export function useNewKey({ generate, status }: Keys) {
  const [fresh, setFresh] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const send = async (password?: string) => {
    const { apiKey } = await generate.mutateAsync(password);
    setFresh(apiKey);
    toast('Chave API gerada com sucesso');
  };
  const make = () =>
    send().catch((failure: unknown) => {
      if (!wantsPassword(failure)) throw failure;
      setAsking(true);
    });
  const dialogs = (
    <>
      <PasswordDialog open={asking} onClose={() => setAsking(false)} onPassword={send} reason={KEY_REASON} />
      <NewKeyDialog apiKey={fresh} active={status.data?.active ?? false} onClose={() => setFresh(null)} />
    </>
  );
  return { make, dialogs };
}
