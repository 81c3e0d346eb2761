import { PAGE_SIZE } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { BookOpenText, KeyRound, type LucideIcon, Webhook } from 'lucide-react';
import { chargeStatsQuery, feedQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatDayInWords } from '../../format/date.ts';
import { firstName } from '../../format/person-name.ts';
import { Link } from '../../navigation/index.ts';
import { LoadFailure, RefreshQueryButton } from '../../panel/list-body.tsx';
import { useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { PageHeader, Panel } from '../../ui/index.ts';
import { ChargesByStatus } from './charges-by-status.tsx';
import { NewChargeLink } from './new-charge-link.tsx';
import { RecentTransactions } from './recent-transactions.tsx';
import { TodaysCharges } from './todays-charges.tsx';

/** The start page of a member who does not read the account's money. */
export function MemberStartPage() {
  const readsCharges = useMay('read-charges');
  const createsCharges = useMay('create-charges');
  if (readsCharges) return <ChargesStart />;
  return createsCharges ? <TillStart /> : <DeveloperStart />;
}

function useGreeting(): string {
  return `Olá, ${useSession(({ user }) => firstName(user?.name ?? ''))}`;
}

const SPAN_DAYS = 30;

/** For whoever sells: the charges of all, by status and the newest. */
function ChargesStart() {
  const greeting = useGreeting();
  const charges = useQuery(chargeStatsQuery(SPAN_DAYS));
  const feed = useQuery(feedQuery({ limit: PAGE_SIZE.recentTransactions }));
  return (
    <>
      <PageHeader
        title={greeting}
        sentence={`Hoje, ${formatDayInWords(new Date())}.`}
        actions={
          <>
            <RefreshQueryButton query={feed} failure="Erro ao atualizar as transações." />
            <NewChargeLink />
          </>
        }
      />
      <Panel flush className="mb-5" label="Resumo">
        {charges.data === undefined && charges.isError ? (
          <LoadFailure query={charges} title="Erro ao buscar as cobranças por situação." place="part" />
        ) : (
          <ChargesByStatus charges={charges.data} span={SPAN_DAYS} />
        )}
      </Panel>
      {feed.data === undefined && feed.isError ? (
        <LoadFailure query={feed} title="Erro ao buscar transações" place="list" />
      ) : (
        <RecentTransactions transactions={feed.data?.transactions} />
      )}
    </>
  );
}

/** For the till: create a charge, and see one's own of today. */
function TillStart() {
  return (
    <>
      <PageHeader
        title={useGreeting()}
        sentence={`Hoje, ${formatDayInWords(new Date())}.`}
        actions={<NewChargeLink />}
      />
      <TodaysCharges />
    </>
  );
}

const tools: readonly { to: ToolPath; Icon: LucideIcon; title: string; note: string }[] = [
  {
    to: paths.apiKeys,
    Icon: KeyRound,
    title: 'Chaves de API',
    note: 'Uma para cada sistema, com os escopos de que ele precisa.',
  },
  {
    to: paths.webhooks,
    Icon: Webhook,
    title: 'Webhooks',
    note: 'Endereços, entregas, reenvio e o doutor de assinaturas.',
  },
  {
    to: paths.apiDocs,
    Icon: BookOpenText,
    title: 'Documentação API',
    note: 'As chamadas, com exemplos que funcionam.',
  },
];
type ToolPath = typeof paths.apiKeys | typeof paths.webhooks | typeof paths.apiDocs;

/** For whoever connects systems: the three pages for that. */
function DeveloperStart() {
  return (
    <>
      <PageHeader title={useGreeting()} sentence="O que é preciso para ligar um sistema a esta conta." />
      <ul className="divide-y divide-base-300 border-y border-base-300">
        {tools.map(({ to, Icon, title, note }) => (
          <li key={to}>
            <Link to={to} className="flex items-center gap-4 px-2 py-4 hover:bg-hover">
              <Icon className="size-5 shrink-0 text-primary" strokeWidth={1.75} aria-hidden="true" />
              <span className="min-w-0">
                <span className="block font-medium">{title}</span>
                <span className="block text-muted">{note}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
