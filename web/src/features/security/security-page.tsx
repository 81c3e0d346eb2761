import { exportPersonalData, type SecurityState } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Download } from 'lucide-react';
import { useState } from 'react';
import { isCancelled, UnsupportedCallError } from '../../api/api-error.ts';
import { download } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { dayOf } from '../../format/date.ts';
import { Link } from '../../navigation/index.ts';
import { usePassword } from '../../panel/confirm/use-password.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { saveFile } from '../../panel/save-file.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  LoadingRegion,
  PageHeader,
  SectionHeader,
  SkeletonText,
  toastError,
} from '../../ui/index.ts';
import { AccessSection } from './access-section.tsx';
import { ClosingSection } from './closing-section.tsx';
import { MissingFactorNotice } from './factor-demand.tsx';
import { FactorSection } from './factor-section.tsx';
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
  if (security.error instanceof UnsupportedCallError)
    return (
      <EmptyState drawing="nothing-yet" title="Segurança indisponível">
        Este gateway não oferece estes ajustes pelo painel.
      </EmptyState>
    );
  if (security.data === undefined && security.isError)
    return (
      <LoadFailure
        query={security}
        title="Não foi possível carregar a segurança da conta"
        reassurance="O que guarda sua conta continua valendo."
      />
    );
  if (security.data === undefined) return <Loading />;
  return <LoadedContent state={security.data} />;
}

function LoadedContent({ state }: { state: SecurityState }) {
  const { data: user } = useQuery(profileQuery);
  return (
    <>
      <MissingFactorNotice state={state} />
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

/** Downloads everything stored about the person, as Brazil's data protection law demands (LGPD, art. 18). */
function PersonalDataSection() {
  const [isDownloading, setIsDownloading] = useState(false);
  /** False once the server has turned out to lack this call. */
  const [isSupported, setIsSupported] = useState(true);
  const { withPassword, dialog: passwordDialog } = usePassword(
    'O arquivo traz tudo o que guardamos sobre você. Por isso pedimos a senha antes.',
  );
  if (!isSupported) return null;
  const downloadData = async () => {
    setIsDownloading(true);
    try {
      const file = await withPassword(() => download(exportPersonalData, {}));
      saveFile(file, `jangada-meus-dados-${dayOf(new Date())}.json`);
    } catch (error) {
      if (error instanceof UnsupportedCallError) setIsSupported(false);
      else if (!isCancelled(error))
        toastError(errorText(error, 'Não foi possível baixar seus dados. Tente novamente.'));
    } finally {
      setIsDownloading(false);
    }
  };
  return (
    <section aria-labelledby="personal-data">
      <SectionHeader id="personal-data" title="Seus dados" />
      <p className="mt-1 text-muted">
        Tudo o que este gateway guarda sobre você, em um arquivo JSON, como a LGPD garante.
      </p>
      <Button
        className="mt-4"
        isSending={isDownloading}
        sendingLabel="Baixando"
        icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={downloadData}
      >
        Baixar meus dados
      </Button>
      {passwordDialog}
    </section>
  );
}
