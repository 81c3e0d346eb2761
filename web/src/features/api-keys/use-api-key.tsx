import { generateApiKey, type Maker, parseGeneratedKey, revealApiKey, revokeApiKey } from '@jangada/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callRaw } from '../../api/client.ts';
import { apiKeyQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { isPasswordRequired, PasswordDialog } from '../../panel/confirm/password-dialog.tsx';
import { maskSecret } from '../../panel/secret/secret-well.tsx';
import { session } from '../../session/session.ts';
import { toast } from '../../ui/index.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

type ApiKeyState = Pick<ReturnType<typeof useApiKey>, 'generate' | 'query'>;

/**
 * `generateKey` generates a key and shows it once, after asking for the password if the server requires the password.
 * Its promise rejects when the key cannot be generated. The caller must render `dialogs`.
 */
export function useNewKey({ generate, query }: ApiKeyState) {
  const [newKey, setNewKey] = useState<string | null>(null);
  const [isAskingPassword, setIsAskingPassword] = useState(false);
  const generateAndShow = async (password?: string) => {
    const { apiKey } = await generate.mutateAsync(password);
    setNewKey(apiKey);
    toast('Chave API gerada com sucesso');
  };
  const generateKey = () =>
    generateAndShow().catch((failure: unknown) => {
      if (!isPasswordRequired(failure)) throw failure;
      setIsAskingPassword(true);
    });
  const dialogs = (
    <>
      <PasswordDialog
        open={isAskingPassword}
        onClose={() => setIsAskingPassword(false)}
        onPassword={generateAndShow}
        reason={KEY_REASON}
      />
      <NewKeyDialog apiKey={newKey} active={query.data?.active ?? false} onClose={() => setNewKey(null)} />
    </>
  );
  return { generateKey, dialogs };
}

const { queryKey } = apiKeyQuery;

/** The person who uses this dashboard, as the maker of what they have just made. */
function ownMaker(): Maker | null {
  const { user } = session.getState();
  return user && { id: user.id, name: user.name, member: true };
}

/** The account's API key: its status, and the operations on it. Each operation updates the status in the cache. */
export function useApiKey() {
  const query = useQuery(apiKeyQuery);
  const generate = useMutation({
    mutationFn: async (password?: string) =>
      parseGeneratedKey(await callRaw(generateApiKey, { body: password === undefined ? {} : { password } })),
    onSuccess: ({ apiKey, active }) =>
      queryClient.setQueryData(queryKey, {
        hasKey: true,
        active,
        key: apiKey,
        masked: maskSecret(apiKey),
        madeBy: ownMaker(),
      }),
  });
  const revoke = useMutation({
    mutationFn: () => callRaw(revokeApiKey, {}),
    onSuccess: () =>
      queryClient.setQueryData(queryKey, {
        hasKey: false,
        active: false,
        key: null,
        masked: null,
        madeBy: null,
      }),
  });
  const reveal = useMutation({
    mutationFn: (password: string) => call(revealApiKey, { body: { password } }),
    onSuccess: ({ key }) =>
      queryClient.setQueryData(queryKey, (previous) => previous && { ...previous, key }),
  });
  return { query, generate, revoke, reveal };
}

/** Tells the user in the password dialog why the password is required. */
export const KEY_REASON =
  'A chave dá acesso às suas cobranças. Por isso pedimos a senha antes de mostrá-la ou trocá-la.';
