import type { SecurityState } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { NotOffered } from '../../api/api-error.ts';
import { profileQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { LoadFailure } from '../../panel/load-failure.tsx';
import {
  buttonClass,
  EmptyState,
  LoadingRegion,
  PageHeader,
  SectionHeader,
  SkeletonText,
} from '../../ui/index.ts';
import { AccessSection } from './access-section.tsx';
import { ClosingSection } from './closing-section.tsx';
import { FactorDemand } from './factor-demand.tsx';
import { FactorSection } from './factor-section.tsx';
import { PersonalDataSection } from './personal-data-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SettingRow, SettingRows } from './setting-row.tsx';
import { securityQuery } from './use-security.ts';

/** The account's security: sign-in details, the second factor, sessions, and the owner's personal data. */
export function SecurityPage() {
  return (
    <>
      <PageHeader
        title="Segurança"
        sentence="Nome, e-mail, senha, segundo fator, sessões abertas e seus dados."
        actions={
          <Link to={paths.profile} className={buttonClass()}>
            <ArrowLeft className="size-4" strokeWidth={1.75} aria-hidden="true" />
            Perfil
          </Link>
        }
      />
      <Content />
    </>
  );
}

function Content() {
  const security = useQuery(securityQuery);
  if (security.error instanceof NotOffered)
    return (
      <EmptyState drawing="nothing-yet" title="Segurança indisponível">
        Este gateway não oferece estes ajustes pelo painel.
      </EmptyState>
    );
  if (security.data === undefined && security.isError)
    return (
      <LoadFailure
        of={security}
        title="Não foi possível carregar a segurança da conta"
        meanwhile="O que guarda sua conta continua valendo."
      />
    );
  if (security.data === undefined) return <Loading />;
  return <Loaded state={security.data} />;
}

function Loaded({ state }: { state: SecurityState }) {
  const { data: user } = useQuery(profileQuery);
  return (
    <>
      <FactorDemand state={state} />
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <AccessSection state={state} user={user} />
          <FactorSection state={state} />
          <SessionsSection />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <PersonalDataSection />
          <ClosingSection requestedAt={state.closing_requested_at} />
        </div>
      </div>
    </>
  );
}

function Loading() {
  return (
    <LoadingRegion>
      <div className="grid gap-8 lg:max-w-136">
        {[
          { section: 'Acesso', rows: ['Nome', 'E-mail', 'Senha'] },
          { section: 'Segundo fator', rows: ['Aplicativo autenticador', 'Chave de acesso'] },
        ].map(({ section, rows }) => (
          <section key={section}>
            <SectionHeader title={section} />
            <SettingRows label={section}>
              {rows.map((title) => (
                <SettingRow key={title} title={title}>
                  <SkeletonText line="h-5" className="h-3 w-48" />
                </SettingRow>
              ))}
            </SettingRows>
          </section>
        ))}
      </div>
    </LoadingRegion>
  );
}
