import { ApiKeyCard } from '../features/api-keys/api-key-card.tsx';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';

export function DashboardRoute() {
  return <DashboardPage apiKeyCard={<ApiKeyCard />} />;
}
