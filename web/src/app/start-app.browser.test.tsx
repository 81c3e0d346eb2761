import { getWalletStats, profile, publicSettings, transactionFeed } from '@jangada/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { walletQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { session } from '../session/session.ts';
import { settings } from '../testing/samples.ts';
import { stubGateway } from '../testing/stub-gateway.ts';
import { paths } from './paths.ts';

test('data prefetched with an invalid token is discarded before anybody else signs in', async () => {
  const gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.fail(profile);
  gateway.answer(getWalletStats, { totalTransactions: 7 } as never);
  gateway.stall(transactionFeed);
  const urlBefore = location.href;
  history.replaceState(null, '', paths.dashboard);
  session.setState({
    status: 'loading',
    token: 'token',
    user: { id: '1', name: 'Ana', username: 'ana', role: 'USER', approved: true, docType: 'CPF', avatar: '' },
    endedBy: null,
  });
  const container = document.body.appendChild(document.createElement('div'));
  const { startApp } = await import('./start-app.tsx');
  startApp(container);
  expect(queryClient.getQueryState(walletQuery.queryKey)).toBeDefined();
  await expect.element(page.getByRole('heading', { name: 'Entrar' })).toBeVisible();
  expect(location.pathname).toBe(paths.login);
  expect(gateway.calls(getWalletStats)).toHaveLength(1);
  expect(queryClient.getQueryState(walletQuery.queryKey)).toBeUndefined();
  history.replaceState(null, '', urlBefore);
  container.remove();
});
