import { adminSystemHealth, getSecurity } from '@jangada/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { securityQuery } from '../../features/security/use-security.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { security } from '../../testing/security-samples.ts';
import { stubGateway } from '../../testing/stub-gateway.ts';
import { FactorBanner } from './factor-banner.tsx';

afterEach(() => vi.unstubAllGlobals());

test('who is refused for want of a second factor is led to where it is set up, until it was given', async () => {
  const gateway = stubGateway();
  gateway.refuse(adminSystemHealth, 'SECOND_FACTOR_SETUP_REQUIRED');
  const { screen } = await renderScreen('/dashboard', () => <FactorBanner />);
  await call(adminSystemHealth, {}).catch(() => {});
  await expect
    .element(screen.getByRole('link', { name: 'Abrir Segurança' }))
    .toHaveAttribute('href', '/profile/security');
  gateway.answer(getSecurity, { ...security, totp: true, given: true });
  await queryClient.fetchQuery(securityQuery);
  await expect.element(screen.getByRole('link', { name: 'Abrir Segurança' })).not.toBeInTheDocument();
});
