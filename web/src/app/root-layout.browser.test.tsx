import { profile, publicSettings } from '@jangada/contract';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { lazyScreen, Router, RouterView, type ScreenRoute } from '../navigation/index.ts';
import { endSession } from '../session/session.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { settings, user } from '../testing/samples.ts';
import { stubGateway } from '../testing/stub-gateway.ts';
import { NotFoundPage, RootLayout } from './root-layout.tsx';

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

const Wallet = () => <h1>Carteira</h1>;
const Frame = ({ children }: { children: ReactNode }) => <section aria-label="Moldura">{children}</section>;

test('a screen whose code does not arrive says so inside its frame, and opens once a retry succeeds', async () => {
  const urlBefore = location.href;
  history.replaceState(null, '', '/wallet');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const importModule = vi
    .fn()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ Wallet });
  const route: ScreenRoute = {
    title: 'Minha Carteira',
    Screen: lazyScreen(importModule, 'Wallet'),
    Frame,
  };
  const router = new Router(() => route);
  await router.start();
  const screen = await render(
    <RouterView router={router}>
      <RootLayout />
    </RouterView>,
  );
  const frame = screen.getByRole('region', { name: 'Moldura' });
  await expect.element(frame.getByText('Não foi possível abrir esta tela')).toBeVisible();
  expect(document.title).toBe('Minha Carteira · Jangada');
  await frame.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(frame.getByRole('heading', { name: 'Carteira' })).toBeVisible();
  history.replaceState(null, '', urlBefore);
});

const Profile = () => <h1>Perfil</h1>;
const Broken = () => {
  throw new Error('broken');
};

test('a screen that crashes is replaced by a failure, until another screen opens', async () => {
  const urlBefore = location.href;
  history.replaceState(null, '', '/wallet');
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const router = new Router(({ pathname }) => ({
    title: '',
    Screen: pathname === '/wallet' ? Broken : Profile,
  }));
  await router.start();
  const screen = await render(
    <RouterView router={router}>
      <RootLayout />
    </RouterView>,
  );
  await expect
    .element(screen.getByText('Algo falhou do nosso lado. Seus dados estão a salvo.'))
    .toBeVisible();
  await router.navigate({ href: '/profile' });
  await expect.element(screen.getByRole('heading', { name: 'Perfil' })).toBeVisible();
  expect(screen.getByText('Não foi possível abrir esta tela').elements()).toEqual([]);
  history.replaceState(null, '', urlBefore);
});
