import { publicSettings } from '@jangada/contract';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { endSession, type SessionEnd } from '../session/session.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { settings } from '../testing/samples.ts';
import { stubGateway } from '../testing/stub-gateway.ts';
import { LoginRoute } from './entrance-routes.tsx';

afterEach(() => vi.unstubAllGlobals());

function LoginAfter({ end }: { end: SessionEnd }) {
  useState(() => endSession(end));
  return <LoginRoute />;
}

test.each(['refusal', 'elsewhere'] as const)(
  'the sign-in screen says that the session ended by %s',
  async (end) => {
    stubGateway().answer(publicSettings, settings);
    const { screen } = await renderScreen('/login', () => <LoginAfter end={end} />);
    await expect
      .element(
        screen.getByRole('alert').getByText(/^Sua sessão terminou: .* Entre de novo para continuar\.$/),
      )
      .toBeVisible();
  },
);

test('a failed sign-in does not show the message of an ended session', async () => {
  stubGateway().answer(publicSettings, settings);
  const { screen } = await renderScreen('/login', () => <LoginAfter end="not-entered" />);
  await expect.element(screen.getByRole('heading', { name: 'Entrar' })).toBeVisible();
  expect(screen.getByRole('alert').elements()).toEqual([]);
});

test('the sign-in screen says that the account is frozen only when that ended the session', async () => {
  stubGateway().answer(publicSettings, { ...settings, adminEmail: 'suporte@gateway.example' });
  const { screen } = await renderScreen('/login', LoginRoute);
  await expect.element(screen.getByRole('heading', { name: 'Entrar' })).toBeVisible();
  expect(screen.getByRole('alert').elements()).toEqual([]);
  await screen.unmount();
  const afterFreeze = await renderScreen('/login', () => <LoginAfter end="frozen" />);
  await expect
    .element(afterFreeze.screen.getByRole('alert'))
    .toHaveTextContent('Esta conta está bloqueada. Fale com o suporte. suporte@gateway.example');
});
