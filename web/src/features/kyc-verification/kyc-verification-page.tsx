import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../api/queries.ts';
import { useSession } from '../../session/session.ts';
import { Notice, PageHeader } from '../../ui/index.ts';

/** How an account gets approved here: the operator checks the documents. */
export function KycVerificationPage() {
  const user = useSession((state) => state.user);
  const { data: settings } = useQuery(settingsQuery);
  return (
    <>
      <PageHeader title="Verificação de identidade" sentence="O que falta para usar todos os recursos." />
      <div className="max-w-[544px]">
        {user?.approved === true ? (
          <Notice tone="info" title="Sua conta está aprovada.">
            Não falta nada.
          </Notice>
        ) : (
          <HowToVerify docType={user?.docType ?? 'CPF'} adminEmail={settings?.adminEmail ?? null} />
        )}
      </div>
    </>
  );
}

function HowToVerify({ docType, adminEmail }: { docType: 'CPF' | 'CNPJ'; adminEmail: string | null }) {
  const documents =
    docType === 'CNPJ'
      ? 'o contrato social e um documento com foto de quem representa a empresa'
      : 'a frente e o verso de um documento com foto, e uma selfie com ele';
  return (
    <div className="grid gap-4">
      <p>
        Os documentos são conferidos pelo administrador desta instalação da Jangada. Envie {documents}
        {adminEmail === null ? ' ao administrador.' : ' para '}
        {adminEmail !== null && (
          <>
            <a className="link" href={`mailto:${adminEmail}`}>
              {adminEmail}
            </a>
            .
          </>
        )}
      </p>
      <p className="text-muted">
        Enquanto isso você pode conhecer o painel. Para criar cobranças, a conta precisa estar aprovada.
      </p>
    </div>
  );
}
