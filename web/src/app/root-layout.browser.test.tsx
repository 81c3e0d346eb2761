import { profile, publicSettings } from '@jangada/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { endSession } from '../session/session.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { settings, user } from '../testing/samples.ts';
import { stubGateway } from '../testing/stub-gateway.ts';
import { NotFoundPage } from './root-layout.tsx';

afterEach(() => vi.unstubAllGlobals());

test('an unknown URL keeps the frame for signed-in users, and only for them', async () => {
  await page.viewport(1440, 900);
  const gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user });
  const { screen } = await renderScreen('/dashboard', NotFoundPage);
  await expect.element(screen.getByRole('heading', { name: 'Página não encontrada' })).toBeVisible();
  await expect.element(screen.getByRole('navigation', { name: 'Menu' })).toBeVisible();
  await expect.element(screen.getByText('Nenhum dinheiro real circula aqui.')).toBeVisible();
  endSession('sign-out');
  await expect.element(screen.getByRole('navigation', { name: 'Menu' })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('heading', { name: 'Página não encontrada' })).toBeVisible();
});
