import type { AdminUserModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { userQuery } from '../../panel/users/users-query.ts';
import { useSession } from '../../session/session.ts';
import { Button, Dialog, LoadingRegion, Skeleton } from '../../ui/index.ts';
import { FreezeDialog } from './freeze-dialog.tsx';
import { useUserForm } from './use-user-form.ts';
import { UserForm } from './user-form.tsx';

type UserDialogProps = { id: string; onClose: () => void };

/** Everything that an administrator sees and may change about one user. */
export function UserDialog({ id, onClose }: UserDialogProps) {
  const query = useQuery(userQuery(id));
  if (query.data !== undefined)
    // Refetched data starts a new form.
    return (
      <LoadedDialog
        key={query.dataUpdatedAt}
        user={query.data}
        reloading={query.isFetching}
        onReload={() => query.refetch()}
        onClose={onClose}
      />
    );
  return (
    <Dialog open onClose={onClose} title="Editar usuário" size="wide">
      {query.isError ? (
        <LoadFailure place="dialog" of={query} title="Erro ao carregar dados do usuário" />
      ) : (
        <LoadingRegion>
          <div className="grid grid-cols-1 gap-5 md:grid-cols-2">
            {Array.from({ length: 8 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: empty fields have nothing else
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
  reloading: boolean;
  onReload: () => void;
  onClose: () => void;
};

function LoadedDialog({ user, reloading, onReload, onClose }: LoadedDialogProps) {
  const isOwn = useSession((state) => state.user?.id) === user.id;
  const [freezing, setFreezing] = useState(false);
  const form = useUserForm(user, onClose);
  const formId = useId();
  const frozen = user.frozenAt !== null;
  const [discarding, setDiscarding] = useState(false);
  // Browsers close a dialog when Esc is pressed repeatedly: it is reopened if the user keeps editing.
  const [returns, setReturns] = useState(0);
  const leave = () => (form.edited ? setDiscarding(true) : onClose());
  return (
    <>
      <Dialog
        key={returns}
        open
        onClose={leave}
        title="Editar usuário"
        size="wide"
        locked={form.sending}
        footerStart={
          // A provider without version numbers does not support freezing.
          !isOwn && user.version !== null ? (
            <Button
              variant={frozen ? 'line' : 'danger'}
              disabled={form.sending}
              onClick={() => setFreezing(true)}
            >
              {frozen ? 'Descongelar' : 'Congelar'}
            </Button>
          ) : undefined
        }
        footer={<FormActions form={form} onLeave={leave} formId={formId} isOwn={isOwn} />}
      >
        <UserForm
          id={formId}
          user={user}
          isOwn={isOwn}
          form={form}
          reloading={reloading}
          onReload={onReload}
        />
        {freezing && (
          <FreezeDialog
            user={user}
            onClose={() => setFreezing(false)}
            onDone={() => {
              setFreezing(false);
              onReload();
            }}
          />
        )}
      </Dialog>
      <DiscardDialog
        discarding={discarding}
        onDiscarding={setDiscarding}
        onReturns={setReturns}
        returns={returns}
        onClose={onClose}
        user={user}
      />
    </>
  );
}

type FormActionsProps = {
  form: ReturnType<typeof useUserForm>;
  onLeave: () => void;
  formId: string;
  isOwn: boolean;
};

function FormActions({ form, onLeave, formId, isOwn }: FormActionsProps) {
  return (
    <>
      <Button className="max-md:hidden" disabled={form.sending} onClick={onLeave}>
        Cancelar
      </Button>
      <Button
        type="submit"
        form={formId}
        variant="primary"
        disabled={isOwn}
        sending={form.sending}
        sendingWord="Salvando"
      >
        Salvar
      </Button>
    </>
  );
}

type DiscardDialogProps = {
  discarding: boolean;
  onDiscarding: (discarding: boolean) => void;
  onReturns: (returns: number) => void;
  returns: number;
  onClose: () => void;
  user: AdminUserModel;
};

function DiscardDialog({ discarding, onDiscarding, onReturns, returns, onClose, user }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      open={discarding}
      onClose={() => {
        onDiscarding(false);
        onReturns(returns + 1);
      }}
      title="Descartar alterações?"
      confirm="Descartar"
      onConfirm={async () => onClose()}
      failure=""
    >
      O que você mudou em {user.name} ainda não foi salvo.
    </ConfirmDialog>
  );
}
