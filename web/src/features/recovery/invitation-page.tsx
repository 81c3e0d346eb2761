import {
  acceptInvitation,
  checkInvitation,
  enterAccount,
  errors,
  memberRoleTexts,
  type ResponseOf,
} from '@jangada/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { Link, useSearch } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { limitText } from '../../panel/members/limit-text.ts';
import { openAccountAnew } from '../../session/account-change.ts';
import { forgetInvitation, keepInvitation, keptInvitation } from '../../session/kept-invitation.ts';
import { useSession } from '../../session/session.ts';
import { signOut } from '../../session/sign-in.ts';
import { Button, buttonClass, Facts, Notice } from '../../ui/index.ts';
import { isLinkGone, linkTokenFrom } from './link-token.ts';
import { LinkCheckSkeleton, RecoveryFrame, RecoveryTitle } from './recovery-frame.tsx';

type Invitation = ResponseOf<typeof checkInvitation>;

/**
 * The page that opens from the link of an invitation. Whoever has to sign in or to register first comes back to it
 * without the token in the URL: this tab keeps it.
 */
export function InvitationPage() {
  const token = useSearch(linkTokenFrom).token ?? keptInvitation()?.token;
  const check = useQuery({
    queryKey: ['invitation-link', token],
    queryFn: ({ signal }) => call(checkInvitation, { body: { token: token ?? '' }, signal }),
    enabled: token !== undefined,
    gcTime: 0,
  });
  const email = check.data?.email;
  useEffect(() => {
    if (token !== undefined && email !== undefined) keepInvitation({ token, email });
  }, [token, email]);
  return (
    <RecoveryFrame>
      {token === undefined || isLinkGone(check.error) ? (
        <InvitationGone />
      ) : check.isPending ? (
        <LinkCheckSkeleton />
      ) : check.isError ? (
        <LoadFailure
          query={check}
          title="Não foi possível abrir o convite"
          reassurance="O link continua valendo."
        />
      ) : (
        <OpenInvitation token={token} invitation={check.data} />
      )}
    </RecoveryFrame>
  );
}

function OpenInvitation({ token, invitation }: { token: string; invitation: Invitation }) {
  const { account_name, invited_by, email, role, refund_limit, withdrawal_limit, expires_at } = invitation;
  const isSignedIn = useSession(({ status }) => status === 'authenticated');
  const facts = [
    { label: 'Seu papel', value: memberRoleTexts[role].label, strong: true },
    ...(refund_limit === null ? [] : [{ label: 'Estornos', value: limitText(refund_limit) }]),
    ...(withdrawal_limit === null ? [] : [{ label: 'Saques', value: limitText(withdrawal_limit) }]),
    { label: 'Para', value: email },
    { label: 'Vale até', value: formatDateAtTime(expires_at) },
  ];
  return (
    <>
      <RecoveryTitle sentence={`${invited_by} convidou você para cuidar desta conta.`}>
        <span className="wrap-anywhere">Convite para a conta {account_name}</span>
      </RecoveryTitle>
      <Facts facts={facts} />
      <p className="mt-4 mb-6">{memberRoleTexts[role].sentence}</p>
      {isSignedIn ? (
        <Acceptance token={token} invitation={invitation} />
      ) : (
        <Entrance invitation={invitation} />
      )}
    </>
  );
}

/** For whoever is not signed in. */
function Entrance({ invitation: { registered, email } }: { invitation: Invitation }) {
  const search = { from: paths.invitation };
  return registered ? (
    <>
      <Link to={paths.login} search={search} className={buttonClass({ variant: 'primary', block: true })}>
        Entrar para aceitar
      </Link>
      <p className="mt-3 text-muted">Entre com o usuário que tem este e-mail. Depois você volta para cá.</p>
    </>
  ) : (
    <>
      <Link to={paths.register} search={search} className={buttonClass({ variant: 'primary', block: true })}>
        Criar conta para aceitar
      </Link>
      <p className="mt-3 text-muted">
        Ainda ninguém se cadastrou com <span className="wrap-anywhere">{email}</span>. Depois do cadastro você
        volta para cá.
      </p>
    </>
  );
}

function Acceptance({ token, invitation }: { token: string; invitation: Invitation }) {
  const profile = useQuery(profileQuery);
  const accept = useMutation({
    mutationFn: async () => {
      const { account } = await call(acceptInvitation, { body: { token } });
      await call(enterAccount, { body: { account_id: account.account_id } });
      return account;
    },
    onSuccess: ({ name, role }) => {
      forgetInvitation();
      openAccountAnew(
        `Convite aceito. Você age agora pela conta ${name}, com o papel ${memberRoleTexts[role].label}. As suas contas estão no menu da sua foto.`,
      );
    },
  });
  if (profile.data === undefined) return <LinkCheckSkeleton />;
  const { email } = profile.data;
  if (email.toLowerCase() !== invitation.email.toLowerCase() || isForOther(accept.error))
    return (
      <>
        <Notice tone="warning" className="mb-5">
          Você entrou como <span className="wrap-anywhere">{email}</span>, e o convite é para{' '}
          <span className="wrap-anywhere">{invitation.email}</span>.
        </Notice>
        <Button block onClick={signOut}>
          Sair e trocar de usuário
        </Button>
        <StartLink className="mt-3" />
      </>
    );
  return (
    <>
      {accept.isError && (
        <Notice tone="error" className="mb-5">
          {errorText(accept.error, 'Não foi possível aceitar o convite. Tente novamente.')}
        </Notice>
      )}
      <Button
        variant="primary"
        block
        isSending={accept.isPending || accept.isSuccess}
        onClick={() => accept.mutate()}
      >
        Aceitar convite
      </Button>
      <StartLink className="mt-3">Agora não</StartLink>
    </>
  );
}

function isForOther(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'INVITATION_OF_OTHER';
}

function StartLink({
  className,
  children = 'Ir para o início',
}: {
  className?: string;
  children?: ReactNode;
}) {
  return (
    <Link
      to={paths.dashboard}
      className={`${className ?? ''} ${buttonClass({ variant: 'quiet', block: true })}`}
    >
      {children}
    </Link>
  );
}

/** Shown for a link that is incomplete, used, withdrawn or expired. */
function InvitationGone() {
  useEffect(forgetInvitation, []);
  return (
    <div role="alert">
      <RecoveryTitle sentence={errors.LINK_EXPIRED.message}>Convite inválido</RecoveryTitle>
      <p className="mb-6">
        Um convite serve uma vez e vale por sete dias. Se você já o aceitou, a conta está no menu da sua foto.
        Senão, peça outro a quem convidou você.
      </p>
      <StartLink />
    </div>
  );
}
