import type { UserModel } from '@jangada/contract';
import { formatDocument } from '@jangada/pix';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useSupports } from '../../api/provider.ts';
import { profileQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatDate } from '../../format/date.ts';
import { Link } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { PushSettings } from '../../panel/push/push-settings.tsx';
import { isOwnAccount, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, Facts, LoadingRegion, PageHeader, SectionHeader, Skeleton } from '../../ui/index.ts';
import { AccountSummary } from './account-summary.tsx';
import { BrandSection } from './brand-section.tsx';
import { FeesCard } from './fees-card.tsx';
import { Identity } from './identity.tsx';
import { OtherAccount } from './other-account.tsx';

/** The account's identity and fees, and a link to its security settings. */
export function ProfilePage() {
  const profile = useQuery(profileQuery);
  const isOwn = useSession(isOwnAccount);
  const managesAccount = useMay('manage-account');
  const readsMoney = useMay('read-money');
  return (
    <>
      <PageHeader title="Perfil" sentence="Sua conta, suas tarifas e seus avisos." />
      {profile.data === undefined && profile.isError ? (
        <LoadFailure
          query={profile}
          title="Não foi possível carregar os dados do usuário."
          reassurance="Sua conta continua como estava."
        />
      ) : (
        <div className="grid items-start gap-x-10 gap-y-8 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
            {profile.data === undefined ? <AccountSkeleton /> : <Account user={profile.data} />}
            <PushSettings />
            {profile.data !== undefined && managesAccount && <BrandSection user={profile.data} />}
          </div>
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
            {!isOwn && <OtherAccount />}
            {readsMoney && <AccountSummary user={profile.data} />}
            <FeesCard />
          </div>
        </div>
      )}
    </>
  );
}

function Account({ user }: { user: UserModel }) {
  const hasSecurityScreen = useSupports('extraScreens');
  const facts = [
    { label: 'Nome', value: user.name },
    { label: 'Nome de usuário', value: user.username },
    { label: 'E-mail', value: user.email === '' ? 'N/A' : user.email },
    { label: user.docType, value: user.document === '' ? 'N/A' : formatDocument(user.document) },
    { label: 'Conta aberta em', value: formatDate(user.createdAt) },
  ];
  return (
    <>
      <Identity user={user} />
      <section aria-labelledby="account-details">
        <SectionHeader id="account-details" title="Dados da conta" />
        <Facts className="mt-2" facts={facts} />
      </section>
      {hasSecurityScreen && (
        <section aria-labelledby="security">
          <SectionHeader id="security" title="Segurança" />
          <p className="mt-1 text-muted">
            Nome, e-mail e senha, o segundo fator, as sessões abertas e os seus dados.
          </p>
          <Link to={paths.security} className={`mt-4 ${buttonClass()}`}>
            <ShieldCheck className="size-4" strokeWidth={1.75} aria-hidden="true" />
            Abrir Segurança
          </Link>
        </section>
      )}
    </>
  );
}

function AccountSkeleton() {
  return (
    <LoadingRegion>
      <div className="flex items-center gap-4">
        <Skeleton className="size-16 rounded-full" />
        <div className="grid gap-3">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="h-5.5 w-36" />
        </div>
      </div>
      <Skeleton className="mt-10 h-4 w-32" />
      <Skeleton className="mt-4 h-44 w-full" />
    </LoadingRegion>
  );
}
