import { hasAbility } from '@jangada/contract';
import { useSupports } from '../api/provider.ts';
import { ApiKeyCard } from '../features/api-keys/api-key-card.tsx';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import { lazyScreen } from '../navigation/index.ts';
import { useMay } from '../session/account.ts';
import { useSession } from '../session/session.ts';
import { allowsRole, staffRoleOf } from './guards.ts';

const AdminStart = lazyScreen(() => import('../features/admin/start-page.tsx'), 'AdminStartPage');
const SupportStart = lazyScreen(
  () => import('../features/support/support-start-page.tsx'),
  'SupportStartPage',
);

const MemberStart = lazyScreen(
  () => import('../features/dashboard/member-start-page.tsx'),
  'MemberStartPage',
);

/** The start screen, which shows business figures to merchants and pending work to the staff. */
export function DashboardRoute() {
  const role = useSession(staffRoleOf);
  const hasStaffDashboards = useSupports('staffDashboards');
  const readsMoney = useMay('read-money');
  const keepsKeys = useMay('manage-main-key');
  if (!hasStaffDashboards) return <DashboardPage apiKeyCard={<ApiKeyCard />} />;
  if (hasAbility(role, 'read-operations')) return <AdminStart />;
  if (allowsRole('support', role)) return <SupportStart />;
  if (!readsMoney) return <MemberStart />;
  return <DashboardPage apiKeyCard={keepsKeys ? <ApiKeyCard /> : null} />;
}
