import { publicSettings } from '@jangada/contract';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { endSession } from '../session/session.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { settings } from '../testing/samples.ts';
import { stubGateway } from '../testing/stub-gateway.ts';
import { LoginRoute } from './entrance-routes.tsx';

afterEach(() => vi.unstubAllGlobals());

function LoginAfterFreeze() {
  useState(() => endSession('frozen'));
  return <LoginRoute />;
}

test('who was signed out because the account is frozen is told so where one signs in, and nobody else', async () => {
  stubGateway().answer(publicSettings, { ...settings, adminEmail: 'suporte@gateway.example' });
  const { screen } = await renderScreen('/login', LoginRoute);
  await expect.element(screen.getByRole('heading', { name: 'Entrar' })).toBeVisible();
  expect(screen.getByRole('alert').elements()).toEqual([]);
  await screen.unmount();
  const again = await renderScreen('/login', LoginAfterFreeze);
  await expect
    .element(again.screen.getByRole('alert'))
    .toHaveTextContent('Esta conta está bloqueada. Fale com o suporte. suporte@gateway.example');
});
