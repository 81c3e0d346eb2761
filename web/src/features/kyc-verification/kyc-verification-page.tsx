import type { KycState } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { UnsupportedCallError } from '../../api/api-error.ts';
import { apiKeyQuery, kycQuery, profileQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { asSentence } from '../../format/sentence.ts';
import { Link } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useSession } from '../../session/session.ts';
import {
  buttonClass,
  LoadingRegion,
  Notice,
  PageHeader,
  Panel,
  Skeleton,
  StatusBadge,
} from '../../ui/index.ts';
import { CompanyNotice } from './company-notice.tsx';
import { DocumentsForm } from './documents-form.tsx';

/**
 * The page of the identity verification (KYC): the form for the documents, or the status of the documents that were
 * sent.
 */
export function KycVerificationPage() {
  const isApproved = useSession(({ user }) => user?.approved ?? false);
  return (
    <>
      <PageHeader
        title="Verificação de identidade"
        sentence={
          isApproved ? 'Sua conta recebe e saca por Pix.' : 'O que falta para receber e sacar por Pix.'
        }
      />
      <VerificationContent />
    </>
  );
}

/** A company's tax number (CNPJ) has 14 characters; a person's (CPF) has 11. */
const CNPJ_LENGTH = 14;

/** Shows what the account needs: the form, the status, or, for a company, where to send its documents. */
function VerificationContent() {
  const user = useSession((state) => state.user);
  const document = useQuery(profileQuery).data?.document ?? '';
  const kyc = useQuery(kycQuery);
  if (user?.approved === true) return <Approved />;
  const isCompany = user?.docType === 'CNPJ' || normalizeDocument(document).length === CNPJ_LENGTH;
  if (isCompany) return <CompanyNotice />;
  // Another provider of the API may not report the status, but accepts documents all the same.
  if (kyc.error instanceof UnsupportedCallError) return <DocumentsForm />;
  if (kyc.data !== undefined) return <KycStateContent state={kyc.data} />;
  if (kyc.isError)
    return (
      <LoadFailure
        place="list"
        query={kyc}
        title="Não foi possível carregar a verificação"
        reassurance="O que você enviou continua guardado."
      />
    );
  return <FormSkeleton />;
}

function KycStateContent({ state }: { state: KycState }) {
  if (state.status === 'pending') return <DocumentsSent submittedAt={state.submitted_at} />;
  if (state.status === 'approved') return <VerifiedButNotApproved />;
  return (
    <>
      {state.status === 'rejected' && (
        <Notice tone="error" className="mb-6" title="Seus documentos não foram aceitos.">
          {state.reason !== null && <>Motivo: {asSentence(state.reason)} </>}
          Você pode enviar de novo.
        </Notice>
      )}
      <DocumentsForm />
    </>
  );
}

function DocumentsSent({ submittedAt }: { submittedAt: string | null }) {
  return (
    <StatusPanel
      title="Documentos enviados com sucesso!"
      badge={<StatusBadge status="waiting">Pendente</StatusBadge>}
    >
      <p>Aguarde a análise da nossa equipe.</p>
      {submittedAt !== null && (
        <p className="mt-1 text-muted">Enviados em {formatDateAtTime(submittedAt)}.</p>
      )}
      <p className="mt-4 text-muted">
        Enquanto isso você pode conhecer o painel. Para criar cobranças e sacar, a conta precisa estar
        aprovada.
      </p>
    </StatusPanel>
  );
}

/** Shown after the account was approved. It links to the API keys, because the first charge needs an API key. */
function Approved() {
  const key = useQuery(apiKeyQuery).data;
  return (
    <StatusPanel title="Conta aprovada" badge={<StatusBadge status="done">Aprovada</StatusBadge>}>
      {key?.hasKey === false ? (
        <p>
          Todos os recursos estão liberados. Para criar a primeira cobrança, gere a sua chave em{' '}
          <Link to={paths.apiKeys} className="link">
            Chaves de API
          </Link>
          .
        </p>
      ) : (
        <p>Todos os recursos estão liberados.</p>
      )}
    </StatusPanel>
  );
}

/** Shown when the identity is verified, but an administrator has withdrawn the approval of the account. */
function VerifiedButNotApproved() {
  return (
    <StatusPanel title="Identidade verificada" badge={<StatusBadge status="done">Aprovado</StatusBadge>}>
      <p>Sua identidade já foi verificada, mas a conta não está aprovada. Fale com o suporte.</p>
    </StatusPanel>
  );
}

type StatusPanelProps = { title: string; badge: ReactNode; children: ReactNode };

/** A panel with the state of the verification. */
function StatusPanel({ title, badge, children }: StatusPanelProps) {
  return (
    <Panel className="max-w-[544px]" label="Situação da verificação">
      <div aria-live="polite">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="text-base font-strong">{title}</h2>
          {badge}
        </div>
        {children}
      </div>
      <Link to={paths.dashboard} className={`mt-6 md:self-start ${buttonClass()}`}>
        Voltar ao início
      </Link>
    </Panel>
  );
}

function FormSkeleton() {
  return (
    <LoadingRegion>
      <div className="grid gap-5 md:grid-cols-3">
        {['document_front', 'document_back', 'selfie'].map((side) => (
          <div key={side}>
            <Skeleton className="mb-2.5 h-3 w-36" />
            <Skeleton className="h-44 w-full" />
            <Skeleton className="mt-3 h-2 w-48" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-8 h-12 w-44" />
    </LoadingRegion>
  );
}
