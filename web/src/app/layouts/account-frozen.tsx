import { enterAccount } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { useShownRoute } from '../../navigation/index.ts';
import { openAccountAnew } from '../../session/account-change.ts';
import { useSession } from '../../session/session.ts';
import { Button, EmptyState, PageHeader, toastError } from '../../ui/index.ts';

/** Shown in place of the screens of an account that an administrator froze. Its members go on in their own. */
export function AccountFrozen() {
  const title = useShownRoute()?.title ?? '';
  const user = useSession((state) => state.user);
  const enter = useMutation({
    mutationFn: (account_id: string) => call(enterAccount, { body: { account_id } }),
    onSuccess: () => openAccountAnew(null),
    onError: (error) => toastError(errorText(error, 'Não foi possível trocar de conta. Tente de novo.')),
  });
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        drawing="no-result"
        title="Conta congelada"
        action={
          <Button
            variant="primary"
            isSending={enter.isPending}
            onClick={() => user !== null && enter.mutate(user.id)}
          >
            Ir para a minha conta
          </Button>
        }
      >
        A conta {user?.account?.name} foi congelada pelo administrador, e ninguém age por ela até ser
        liberada. A sua própria conta continua como estava.
      </EmptyState>
    </>
  );
}
