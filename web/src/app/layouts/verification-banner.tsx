import { Link, useLocation } from '@tanstack/react-router';
import { useSession } from '../../session/session.ts';
import { buttonClass, Notice } from '../../ui/index.ts';
import { paths } from '../paths.ts';

/** For accounts that are not approved yet, on every screen but the one it leads to. */
export function VerificationBanner() {
  const approved = useSession(({ user }) => user?.approved ?? true);
  const { pathname } = useLocation();
  if (approved || pathname === paths.kycVerification) return null;
  return (
    <Notice
      tone="warning"
      title="Verificação Pendente."
      className="mb-5"
      action={
        <Link to={paths.kycVerification} className={buttonClass({ size: 'small' })}>
          Verificar Agora
        </Link>
      }
    >
      Conclua a verificação de identidade para usar todos os recursos.
    </Notice>
  );
}
