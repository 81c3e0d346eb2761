import type { AdminUserModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { LookIn } from '../../panel/support/look-in.tsx';
import { userQuery } from '../../panel/users/users-query.ts';
import { useSession } from '../../session/session.ts';
import { Button, Dialog, LoadingRegion, Skeleton } from '../../ui/index.ts';
import { FreezeDialog } from './freeze-dialog.tsx';
import { IdentityReview } from './identity-review.tsx';
import { RecoverAccount } from './recover-account.tsx';
import { useUserForm } from './use-user-form.ts';
import { UserForm } from './user-form.tsx';

type UserDialogProps = { id: string; onClose: () => void };

/** Everything that an administrator sees and may change about one user. */
export function UserDialog({ id, onClose }: UserDialogProps) {
  const query = useQuery(userQuery(id));
  if (query.data !== undefined)
    // The key changes with every fetch, so that the form starts again from the fetched data without the earlier input.
    return (
      <LoadedDialog
        key={query.dataUpdatedAt}
        user={query.data}
        isReloading={query.isFetching}
        onReload={() => query.refetch()}
        onClose={onClose}
      />
    );
  return (
    <Dialog open onClose={onClose} title="Editar usuário" size="wide">
      {query.isError ? (
        <LoadFailure place="dialog" query={query} title="Erro ao carregar dados do usuário" />
      ) : (
        <LoadingRegion>
          <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
            {Array.from({ length: 8 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholder fields have nothing but their position
              <div key={index} className={index < 2 ? 'md:col-span-2' : undefined}>
                <Skeleton className="my-1.5 h-2.5 w-24" />
                <Skeleton className="mt-2 h-11 w-full md:h-10" />
              </div>
            ))}
          </div>
        </LoadingRegion>
      )}
    </Dialog>
  );
}

type LoadedDialogProps = {
  user: AdminUserModel;
  isReloading: boolean;
  onReload: () => void;
  onClose: () => void;
};

function LoadedDialog({ user, isReloading, onReload, onClose }: LoadedDialogProps) {
  const isSelf = useSession((state) => state.user?.id) === user.id;
  const form = useUserForm(user, onClose);
  const formId = useId();
  const isFrozen = user.frozenAt !== null;
  const [isFreezeDialogOpen, setFreezeDialogOpen] = useState(false);
  const [isDiscardDialogOpen, setDiscardDialogOpen] = useState(false);
  // Browsers close a dialog when Esc is pressed twice in a row, even if it should stay open. When the administrator
  // chooses to keep editing, a new key opens the dialog again.
  const [reopenCount, setReopenCount] = useState(0);
  const closeOrConfirm = () => (form.hasUnsavedChanges ? setDiscardDialogOpen(true) : onClose());
  return (
    <>
      <Dialog
        key={reopenCount}
        open
        onClose={closeOrConfirm}
        title="Editar usuário"
        size="wide"
        locked={form.isSaving}
        footerStart={
          // `version` is null when the server behind the API is not our own gateway. Such a server cannot freeze users.
          !isSelf && user.version !== null ? (
            <div className="flex flex-wrap gap-2 max-md:*:grow">
              <Button
                variant={isFrozen ? 'line' : 'danger'}
                disabled={form.isSaving}
                onClick={() => setFreezeDialogOpen(true)}
              >
                {isFrozen ? 'Descongelar' : 'Congelar'}
              </Button>
              {!isFrozen && <LookIn user={user} disabled={form.isSaving || form.hasUnsavedChanges} />}
              {!isFrozen && user.role === 'USER' && (
                <RecoverAccount
                  user={user}
                  disabled={form.isSaving || form.hasUnsavedChanges}
                  onDone={onReload}
                />
              )}
            </div>
          ) : undefined
        }
        footer={<FormActions form={form} onCancel={closeOrConfirm} formId={formId} isSelf={isSelf} />}
      >
        <IdentityReview user={user} isSelf={isSelf} onReload={onReload} />
        <UserForm
          id={formId}
          user={user}
          isSelf={isSelf}
          form={form}
          isReloading={isReloading}
          onReload={onReload}
        />
        {isFreezeDialogOpen && (
          <FreezeDialog
            user={user}
            onClose={() => setFreezeDialogOpen(false)}
            onDone={() => {
              setFreezeDialogOpen(false);
              onReload();
            }}
          />
        )}
      </Dialog>
      <DiscardDialog
        open={isDiscardDialogOpen}
        user={user}
        onKeepEditing={() => {
          setDiscardDialogOpen(false);
          setReopenCount(reopenCount + 1);
        }}
        onDiscard={onClose}
      />
    </>
  );
}

type FormActionsProps = {
  form: ReturnType<typeof useUserForm>;
  onCancel: () => void;
  formId: string;
  isSelf: boolean;
};

function FormActions({ form, onCancel, formId, isSelf }: FormActionsProps) {
  return (
    <>
      <Button className="max-md:hidden" disabled={form.isSaving} onClick={onCancel}>
        Cancelar
      </Button>
      <Button
        type="submit"
        form={formId}
        variant="primary"
        disabled={isSelf}
        isSending={form.isSaving}
        sendingLabel="Salvando"
      >
        Salvar
      </Button>
    </>
  );
}

type DiscardDialogProps = {
  open: boolean;
  user: AdminUserModel;
  onKeepEditing: () => void;
  onDiscard: () => void;
};

function DiscardDialog({ open, user, onKeepEditing, onDiscard }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onClose={onKeepEditing}
      title="Descartar alterações?"
      confirm="Descartar"
      onConfirm={async () => onDiscard()}
      failure=""
    >
      O que você mudou em {user.name} ainda não foi salvo.
    </ConfirmDialog>
  );
}
