import { checkEmailLink, confirmEmail, errors } from '@jangada/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { paths } from '../../app/paths.ts';
import { Link, useSearch } from '../../navigation/index.ts';
import { useSession } from '../../session/session.ts';
import { Button, buttonClass, Notice } from '../../ui/index.ts';
import { isLinkGone, linkTokenFrom } from './link-token.ts';
import { LinkCheckSkeleton, RecoveryFrame, RecoveryTitle } from './recovery-frame.tsx';

/**
 * The page that opens from the link sent to a new e-mail address. Opening the page confirms nothing, because mail
 * scanners open links too: the user must press a button.
 */
export function ConfirmEmailPage() {
  const { token } = useSearch(linkTokenFrom);
  const confirm = useMutation({
    mutationFn: (linkToken: string) => call(confirmEmail, { body: { token: linkToken } }),
    onSuccess: () => {
      // Both the profile and the data of the security screen contain the e-mail address.
      for (const queryKey of [profileQuery.queryKey, ['security']])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
  const check = useQuery({
    queryKey: ['email-link', token],
    queryFn: ({ signal }) => call(checkEmailLink, { body: { token: token ?? '' }, signal }),
    enabled: token !== undefined && confirm.isIdle,
    gcTime: 0,
  });
  return (
    <RecoveryFrame>
      {confirm.isSuccess ? (
        <EmailConfirmed email={confirm.data.email} />
      ) : token === undefined || isLinkGone(confirm.error) || isLinkGone(check.error) ? (
        <EmailLinkGone />
      ) : check.isPending ? (
        <LinkCheckSkeleton />
      ) : (
        // If the check of the link failed, confirming will show whether the link is valid.
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
            isSending={confirm.isPending}
            onClick={() => confirm.mutate(token)}
          >
            Confirmar e-mail
          </Button>
          <SecurityLink />
        </>
      )}
    </RecoveryFrame>
  );
}

function EmailConfirmed({ email }: { email: string }) {
  return (
    <>
      <RecoveryTitle takesFocus sentence="É para lá que os avisos da conta vão agora.">
        E-mail confirmado
      </RecoveryTitle>
      <p className="mb-6">
        <strong className="font-strong wrap-anywhere">{email}</strong>. Por segurança, os saques ficam
        suspensos por 24 horas.
      </p>
      <SecurityLink isPrimary />
    </>
  );
}

function EmailLinkGone() {
  return (
    <div role="alert">
      <RecoveryTitle sentence={errors.LINK_EXPIRED.message}>Link inválido</RecoveryTitle>
      <p className="mb-6">Em Segurança você vê o e-mail da conta e pede a troca de novo.</p>
      <SecurityLink isPrimary />
    </div>
  );
}

/**
 * A link to the page that changes the e-mail address. Users who are not signed in are taken there through the sign-in.
 */
function SecurityLink({ isPrimary = false }: { isPrimary?: boolean }) {
  const isSignedIn = useSession(({ status }) => status === 'authenticated');
  const className = buttonClass({ variant: isPrimary ? 'primary' : 'line', block: true });
  return isSignedIn ? (
    <Link to={paths.security} className={className}>
      Abrir a segurança da conta
    </Link>
  ) : (
    <Link to={paths.login} search={{ from: paths.security }} className={className}>
      Entrar
    </Link>
  );
}
