import { errors, type KycStatus } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { kycQuery, profileQuery, settingsQuery } from '../../api/queries.ts';
import { useSecondFactorRequired } from '../../api/step-up.ts';
import { Link, usePathname } from '../../navigation/index.ts';
import { isOwnAccount } from '../../session/account.ts';
import { accountChangeReason, forgetAccountChange } from '../../session/account-change.ts';
import { useSession } from '../../session/session.ts';
import { Button, buttonClass, classNames, Notice } from '../../ui/index.ts';
import { paths } from '../paths.ts';

/** Says, once, why the page was opened anew for another account. */
export function AccountChangeBanner() {
  const [reason, setReason] = useState(accountChangeReason);
  if (reason === null) return null;
  const close = () => {
    forgetAccountChange();
    setReason(null);
  };
  return (
    <Notice
      tone="info"
      announced
      className="mb-5"
      action={
        <Button size="small" onClick={close}>
          Entendi
        </Button>
      }
    >
      {reason}
    </Notice>
  );
}

/**
 * Shown to persons in an account of their own that is not approved yet, except on the screen to which the banner links.
 * Support accounts need no approval.
 */
export function VerificationBanner() {
  const awaitsApproval = useSession(
    (state) =>
      state.user !== null && !state.user.approved && state.user.role !== 'SUPPORT' && isOwnAccount(state),
  );
  const pathname = usePathname();
  return awaitsApproval && pathname !== paths.kycVerification ? <Banner /> : null;
}

const texts: Record<KycStatus, { title: string; sentence: ReactNode; action: string }> = {
  none: {
    title: 'Verificação Pendente.',
    sentence: 'Conclua a verificação de identidade para usar todos os recursos.',
    action: 'Verificar Agora',
  },
  pending: {
    title: 'Verificação Pendente.',
    sentence: 'Seus documentos estão em análise. A resposta aparece aqui.',
    action: 'Ver situação',
  },
  rejected: {
    title: 'Verificação rejeitada.',
    sentence: 'Seus documentos não foram aceitos. Veja o motivo e envie de novo.',
    action: 'Ver motivo',
  },
  approved: {
    title: 'Conta não aprovada.',
    sentence: (
      <>
        Sua identidade foi verificada, mas a conta não está liberada. <AskSupport />
      </>
    ),
    action: 'Ver situação',
  },
};

function Banner() {
  const { data, isPending } = useQuery(kycQuery);
  // If the status cannot be loaded, the banner still has its link to the verification.
  const { title, sentence, action } = texts[data?.status ?? 'none'];
  return (
    <Notice
      tone="warning"
      title={title}
      // Invisible until the status is known, so that nothing shifts.
      className={classNames('mb-5', isPending && 'invisible')}
      action={
        <Link to={paths.kycVerification} className={buttonClass({ size: 'small' })}>
          {action}
        </Link>
      }
    >
      {sentence}
    </Notice>
  );
}

/** `Fale com o suporte.`, with the e-mail address if the gateway provides one. */
function AskSupport() {
  const email = useQuery(settingsQuery).data?.adminEmail ?? null;
  if (email === null) return 'Fale com o suporte.';
  return (
    <>
      Fale com o suporte:{' '}
      <a className="link wrap-anywhere" href={`mailto:${email}`}>
        {email}
      </a>
    </>
  );
}

/**
 * Tells staff without a second factor where to set one up, once the gateway has refused one of their calls for that
 * reason.
 */
export function FactorBanner() {
  const isSecondFactorRequired = useSecondFactorRequired();
  const pathname = usePathname();
  if (!isSecondFactorRequired || pathname === paths.security) return null;
  return (
    <Notice
      tone="warning"
      title="Segundo fator exigido."
      className="mb-5"
      action={
        <Link to={paths.security} className={buttonClass({ size: 'small' })}>
          Abrir Segurança
        </Link>
      }
    >
      {errors.SECOND_FACTOR_SETUP_REQUIRED.message}
    </Notice>
  );
}

/** On the start page, tells how many requests wait for the person's approval. */
export function ApprovalsBanner() {
  const count = useQuery(profileQuery).data?.approvalsWaiting ?? 0;
  const pathname = usePathname();
  if (count === 0 || pathname !== paths.dashboard) return null;
  return (
    <Notice
      tone="info"
      title={count === 1 ? '1 pedido espera a sua aprovação.' : `${count} pedidos esperam a sua aprovação.`}
      className="mb-5"
      action={
        <Link to={paths.approvals} className={buttonClass({ size: 'small' })}>
          Ver pedidos
        </Link>
      }
    />
  );
}
