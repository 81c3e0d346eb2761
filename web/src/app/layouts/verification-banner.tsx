import type { KycStatus } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { kycQuery } from '../../api/queries.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, Notice } from '../../ui/index.ts';
import { paths } from '../paths.ts';

/** For accounts that are not approved yet, on every screen but the one it leads to. */
export function VerificationBanner() {
  const approved = useSession(({ user }) => user?.approved ?? true);
  const { pathname } = useLocation();
  return approved || pathname === paths.kycVerification ? null : <Banner />;
}

const complete = 'Conclua a verificação de identidade para usar todos os recursos.';
const sentences: Record<KycStatus, string> = {
  none: complete,
  pending: 'Seus documentos estão em análise. A resposta aparece aqui.',
  rejected: 'Seus documentos não foram aceitos. Veja o motivo e envie de novo.',
  approved: complete,
};

function Banner() {
  const status = useQuery(kycQuery).data?.status ?? 'none';
  return (
    <Notice
      tone="warning"
      title="Verificação Pendente."
      className="mb-5"
      action={
        <Link to={paths.kycVerification} className={buttonClass({ size: 'small' })}>
          {status === 'pending' ? 'Ver situação' : 'Verificar Agora'}
        </Link>
      }
    >
      {sentences[status]}
    </Notice>
  );
}
