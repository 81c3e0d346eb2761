import { hasAbility } from '@jangada/contract';
import { useSupports } from '../api/provider.ts';
import { ApiKeyCard } from '../features/api-keys/api-key-card.tsx';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import { lazyScreen } from '../navigation/index.ts';
import { useSession } from '../session/session.ts';
import { allowsRole } from './guards.ts';

const AdminStart = lazyScreen(() => import('../features/admin/start-page.tsx'), 'AdminStartPage');
const SupportStart = lazyScreen(
  () => import('../features/support/support-start-page.tsx'),
  'SupportStartPage',
);

/** The start screen, which shows business figures to merchants and pending work to the staff. */
export function DashboardRoute() {
  const role = useSession(({ user }) => user?.role ?? 'USER');
  const hasStaffDashboards = useSupports('staffDashboards');
  if (!hasStaffDashboards) return <DashboardPage apiKeyCard={<ApiKeyCard />} />;
  if (hasAbility(role, 'read-operations')) return <AdminStart />;
  if (allowsRole('support', role)) return <SupportStart />;
  return <DashboardPage apiKeyCard={<ApiKeyCard />} />;
}
