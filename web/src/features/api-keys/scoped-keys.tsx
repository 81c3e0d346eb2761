import { moneyScopes, type ScopedKey } from '@jangada/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { formatDateAtTime, formatRelative } from '../../format/date.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { usePassword } from '../../panel/confirm/use-password.tsx';
import { toastUnlessLive } from '../../panel/toast-unless-live.ts';
import { useNow } from '../../panel/use-now.ts';
import { isAccountApproved, memberRoleOf } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, LoadingRegion, SectionHeader, Skeleton, toast } from '../../ui/index.ts';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { ScopedKeyDialog } from './scoped-key-dialog.tsx';
import { type KeyAction, ScopedKeyRow } from './scoped-key-row.tsx';
import { NewScopedKeyDialog } from './shown-key-dialog.tsx';
import { type ScopedKeys, useScopedKeys } from './use-scoped-keys.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Tells the user why the password is required. */
const PASSWORD_REASON =
  'Uma chave age em nome da sua conta. Por isso pedimos a senha antes de criá-la, alterá-la ou trocá-la.';

/**
 * The open dialog, or null. `new-key` is the dialog that shows a new key, once only, with an optional remark below the
 * key.
 */
type OpenKeyDialog =
  | { kind: 'create' }
  | { kind: KeyAction; key: ScopedKey }
  | { kind: 'new-key'; title: string; apiKey: string; remark?: string }
  | null;

/** The scoped keys: one API key for each system of the merchant. Renders nothing if the provider has no scoped keys. */
export function ScopedKeysSection({ className = 'mt-10 max-w-[57.5rem]' }: { className?: string }) {
  const isApproved = useSession(isAccountApproved);
  const scopedKeys = useScopedKeys();
  const { query } = scopedKeys;
  const [openDialog, setOpenDialog] = useState<OpenKeyDialog>(null);
  if (query.error instanceof UnsupportedCallError) return null;
  const createButton = isApproved && (
    <Button
      size="small"
      icon={<Plus className="size-4" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => setOpenDialog({ kind: 'create' })}
    >
      Criar chave
    </Button>
  );
  const keys = query.data ?? [];
  return (
    <section aria-labelledby="scoped-keys" className={className}>
      <SectionHeader id="scoped-keys" title="Chaves por sistema" aside={createButton} />
      <p className="mt-1 max-w-160 text-muted">
        Uma chave para cada sistema, só com o que ele precisa. Se uma vazar, você revoga essa e os outros
        seguem.
      </p>
      {query.data === undefined ? (
        <LoadingOrFailure query={query} />
      ) : keys.length > 0 ? (
        <KeyList keys={keys} onAction={(kind, key) => setOpenDialog({ kind, key })} />
      ) : (
        <p className="mt-4 border-y border-base-300 py-5 text-muted">
          Nenhuma chave por sistema.{' '}
          {isApproved
            ? 'As que você criar aparecem aqui, com o que podem fazer e o último uso.'
            : 'Você as cria assim que a conta for aprovada.'}
        </p>
      )}
      <KeyDialogs scopedKeys={scopedKeys} openDialog={openDialog} onOpen={setOpenDialog} />
    </section>
  );
}

/** Only an owner handles a key that moves money out of the account. */
function movesMoney(key: ScopedKey): boolean {
  return key.scopes.some((scope) => moneyScopes.includes(scope));
}

type KeyListProps = {
  keys: readonly ScopedKey[];
  onAction: (action: KeyAction, key: ScopedKey) => void;
};

function KeyList({ keys, onAction }: KeyListProps) {
  const now = useNow(true, MINUTE_MS);
  const handlesMoney = useSession(memberRoleOf) === 'owner';
  return (
    <ul aria-label="Chaves por sistema" className="mt-4 divide-y divide-base-300 border-y border-base-300">
      {keys.map((key) => (
        <ScopedKeyRow
          key={key.id}
          scopedKey={key}
          now={now}
          onAction={handlesMoney || !movesMoney(key) ? (action) => onAction(action, key) : undefined}
        />
      ))}
    </ul>
  );
}

function LoadingOrFailure({ query }: Pick<ScopedKeys, 'query'>) {
  return query.isError ? (
    <div role="alert" className="mt-4 flex flex-wrap items-center gap-3">
      <p className="text-error">{errorText(query.error, 'Erro ao buscar as chaves por sistema.')}</p>
      <Button size="small" isSending={query.isFetching} onClick={() => query.refetch()}>
        Tentar Novamente
      </Button>
    </div>
  ) : (
    <LoadingRegion>
      <Skeleton className="mt-4 h-20 w-full" />
      <Skeleton className="mt-2 h-20 w-full" />
    </LoadingRegion>
  );
}

type KeyDialogsProps = {
  scopedKeys: ScopedKeys;
  openDialog: OpenKeyDialog;
  onOpen: (openDialog: OpenKeyDialog) => void;
};

/** The dialogs of the scoped keys. After a key is created or replaced, the dialog that shows the new key follows. */
function KeyDialogs({ scopedKeys, openDialog, onOpen }: KeyDialogsProps) {
  const { withPassword, dialog: passwordDialog } = usePassword(PASSWORD_REASON);
  const close = () => onOpen(null);
  if (openDialog === null) return null;
  return (
    <>
      {openDialog.kind === 'create' && (
        <ScopedKeyDialog
          scopedKey={null}
          onClose={close}
          onSend={async (body) => {
            const { apiKey } = await withPassword(() => scopedKeys.create(body));
            onOpen({ kind: 'new-key', title: 'Chave criada', apiKey });
          }}
        />
      )}
      {openDialog.kind === 'change' && (
        <ScopedKeyDialog
          scopedKey={openDialog.key}
          onClose={close}
          onSend={async (body) => {
            await withPassword(() => scopedKeys.update(openDialog.key.id, body));
            close();
            toastUnlessLive('Chave alterada');
          }}
        />
      )}
      {openDialog.kind === 'rotate' && (
        <RotateKeyDialog
          scopedKey={openDialog.key}
          onClose={close}
          onRotate={async (overlapHours) => {
            const { apiKey } = await withPassword(() => scopedKeys.rotate(openDialog.key.id, overlapHours));
            onOpen({
              kind: 'new-key',
              title: 'Chave trocada',
              apiKey,
              remark: overlapText(openDialog.key, overlapHours),
            });
          }}
        />
      )}
      {openDialog.kind === 'revoke' && (
        <RevokeDialog scopedKey={openDialog.key} onClose={close} onRevoke={scopedKeys.revoke} />
      )}
      {openDialog.kind === 'new-key' && (
        <NewScopedKeyDialog title={openDialog.title} apiKey={openDialog.apiKey} onClose={close}>
          {openDialog.remark}
        </NewScopedKeyDialog>
      )}
      {passwordDialog}
    </>
  );
}

/** The remark that says until when the old key is valid beside the new one. */
function overlapText({ status }: ScopedKey, overlapHours: number): string {
  if (status === 'expired') return 'A antiga já tinha vencido.';
  if (overlapHours === 0) return 'A antiga deixou de valer agora.';
  const until = formatDateAtTime(new Date(Date.now() + overlapHours * HOUR_MS).toISOString());
  return `A antiga vale, no máximo, até ${until}. Ponha a nova no lugar dela até lá.`;
}

type RevokeDialogProps = {
  scopedKey: ScopedKey;
  onClose: () => void;
  onRevoke: (id: string) => Promise<unknown>;
};

/** Asks for a confirmation before a key is revoked, or an expired key is removed from the list. */
function RevokeDialog({
  scopedKey: { id, name, status, last_used_at },
  onClose,
  onRevoke,
}: RevokeDialogProps) {
  const isExpired = status === 'expired';
  const verb = isExpired ? 'Remover' : 'Revogar';
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${verb} a chave “${name}”?`}
      confirm={`${verb} chave`}
      onConfirm={async () => {
        await onRevoke(id);
        toast(isExpired ? 'Chave removida' : 'API key revoked successfully');
      }}
      failure="Failed to revoke API key"
    >
      {isExpired
        ? 'Ela já venceu, e sai da lista.'
        : `Ela deixa de valer na hora e não volta. ${
            last_used_at === null
              ? 'Nenhum sistema a usou até agora.'
              : `Foi usada ${formatRelative(last_used_at, new Date())}: o sistema que a usa para até receber outra.`
          }`}
    </ConfirmDialog>
  );
}
