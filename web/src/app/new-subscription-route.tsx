import { NewSubscriptionPage } from '../features/subscriptions/new-subscription-page.tsx';
import { newSubscriptionSearchFrom } from '../features/subscriptions/subscriptions-filter.ts';
import { lazyScreen, useSearch } from '../navigation/index.ts';

const ImportScreen = lazyScreen(
  () => import('../features/subscription-import/import-subscriptions-page.tsx'),
  'ImportSubscriptionsPage',
);

/** The form for one new subscription, or for many from a file. */
export function NewSubscriptionRoute() {
  return useSearch(newSubscriptionSearchFrom).from === 'file' ? <ImportScreen /> : <NewSubscriptionPage />;
}
