import type { DocType } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { settingsQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, PageHeader, Panel, StatusBadge } from '../../ui/index.ts';

/** How an account gets approved here: whoever runs the gateway checks the documents. */
export function KycVerificationPage() {
  const user = useSession((state) => state.user);
  const { data: settings } = useQuery(settingsQuery);
  const approved = user?.approved === true;
  return (
    <>
      <PageHeader title="Verificação de identidade" sentence="O que falta para usar todos os recursos." />
      <Panel className="max-w-[544px]" label="Situação da verificação">
        <div className="mb-4 flex items-center justify-between gap-4">
          <h2 className="font-strong">{approved ? 'Conta aprovada' : 'Aguardando verificação'}</h2>
          <StatusBadge status={approved ? 'done' : 'waiting'}>
            {approved ? 'Aprovada' : 'Pendente'}
          </StatusBadge>
        </div>
        {approved ? (
          <p>Não falta nada.</p>
        ) : (
          <HowToVerify docType={user?.docType ?? 'CPF'} adminEmail={settings?.adminEmail ?? null} />
        )}
        <Link to={paths.dashboard} className={`mt-6 ${buttonClass()}`}>
          Voltar ao início
        </Link>
      </Panel>
    </>
  );
}

const documents: Record<DocType, string> = {
  CPF: 'a frente e o verso de um documento com foto, e uma selfie com ele',
  CNPJ: 'o contrato social e um documento com foto de quem representa a empresa',
};

function HowToVerify({ docType, adminEmail }: { docType: DocType; adminEmail: string | null }) {
  return (
    <div className="grid gap-4">
      {adminEmail === null ? (
        <p>Fale com quem administra este gateway. Para a verificação são pedidos {documents[docType]}.</p>
      ) : (
        <p>
          Envie {documents[docType]} para{' '}
          <a className="link" href={`mailto:${adminEmail}`}>
            {adminEmail}
          </a>
          .
        </p>
      )}
      <p className="text-muted">
        Enquanto isso você pode conhecer o painel. Para criar cobranças, a conta precisa estar aprovada.
      </p>
    </div>
  );
}
