import { confirmEmail, errors } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { paths } from '../../app/paths.ts';
import { useSession } from '../../session/session.ts';
import { Button, buttonClass, Notice } from '../../ui/index.ts';
import { RecoveryFrame, RecoveryTitle } from './recovery-frame.tsx';

/** Opened by the link to a new e-mail address. A press confirms it: programs that look into mails open links too. */
export function ConfirmEmailPage() {
  const { token } = useSearch({ from: paths.confirmEmail });
  const signedIn = useSession(({ status }) => status === 'authenticated');
  const confirm = useMutation({
    mutationFn: (link: string) => call(confirmEmail, { body: { token: link } }),
    onSuccess: () => {
      for (const queryKey of [profileQuery.queryKey, ['security']])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
  const onwards = (
    <Link
      to={signedIn ? paths.security : paths.login}
      className={buttonClass({ variant: confirm.isSuccess ? 'primary' : 'line', block: true })}
    >
      {signedIn ? 'Abrir a segurança da conta' : 'Entrar'}
    </Link>
  );
  if (token === undefined)
    return (
      <RecoveryFrame>
        <div role="alert">
          <RecoveryTitle sentence={errors.LINK_EXPIRED.message}>Link inválido</RecoveryTitle>
          {onwards}
        </div>
      </RecoveryFrame>
    );
  return (
    <RecoveryFrame>
      {confirm.isSuccess ? (
        <div role="status">
          <RecoveryTitle sentence="É para lá que os avisos da conta vão agora.">
            E-mail confirmado
          </RecoveryTitle>
          <p className="mb-6">
            <strong className="font-strong break-words">{confirm.data.email}</strong>. Por segurança, os
            saques ficam suspensos por 24 horas.
          </p>
          {onwards}
        </div>
      ) : (
        <>
          <RecoveryTitle sentence="Depois disso o endereço antigo deixa de valer.">
            Confirme o endereço
          </RecoveryTitle>
          {confirm.isError && (
            <Notice tone="error" className="mb-5">
              <span className="font-medium">
                {errorText(confirm.error, 'Não foi possível confirmar o e-mail. Tente novamente.')}
              </span>
            </Notice>
          )}
          <Button
            variant="primary"
            block
            className="mb-3"
            sending={confirm.isPending}
            onClick={() => confirm.mutate(token)}
          >
            Confirmar e-mail
          </Button>
          {onwards}
        </>
      )}
    </RecoveryFrame>
  );
}
