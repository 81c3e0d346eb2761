import { DueChargesPage } from '../features/transactions/due-charges-page.tsx';
import { lazyScreen, useSearch } from '../navigation/index.ts';
import { type ChargesTab, chargesSearchFrom } from '../panel/charge/charges-search.ts';

const screens: Readonly<Record<ChargesTab, ReturnType<typeof lazyScreen>>> = {
  batches: lazyScreen(() => import('../features/charge-batches/batches-page.tsx'), 'BatchesPage'),
  import: lazyScreen(() => import('../features/charge-batches/import-page.tsx'), 'ImportPage'),
  held: lazyScreen(() => import('../features/held-pix/held-pix-page.tsx'), 'HeldPixPage'),
  rules: lazyScreen(() => import('../features/held-pix/payer-rules-page.tsx'), 'PayerRulesPage'),
};

/** The list of charges, or what stands beside it at the same address: batches, their import, held Pix and their rules. */
export function ChargesRoute() {
  const tab = useSearch(chargesSearchFrom)?.tab;
  const Screen = tab === undefined ? DueChargesPage : screens[tab];
  return <Screen />;
}
