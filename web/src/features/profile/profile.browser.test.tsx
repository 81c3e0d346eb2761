import { accountTaxes, profile, publicSettings, removeAvatar, uploadAvatar } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings, taxes, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { ProfilePage } from './profile-page.tsx';

let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user });
  gateway.answer(accountTaxes, { success: true, data: taxes });
});
afterEach(() => vi.unstubAllGlobals());

const open = () => renderScreen('/profile', ProfilePage);
const picture = (type: string, size = 10) => new File([new Uint8Array(size)], 'foto', { type });

// First: the account is not known yet in this file, so it has to be loaded.
test('an account that cannot be loaded says so and can be tried again', async () => {
  gateway.fail(profile);
  const { screen } = await open();
  await expect.element(screen.getByText('Não foi possível carregar os dados do usuário.')).toBeVisible();
  gateway.answer(profile, { user });
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('marina@example.com')).toBeVisible();
});

test('who the account is, what it may and what it pays stand there', async () => {
  gateway.answer(accountTaxes, {
    success: true,
    data: {
      pix: { in: 0.99, out: 1.25, fixIn: 0.1, fixOut: 1.5 },
      crypto: 2.75,
      reserve: { enabled: true, percentage: 5, liberationTime: 30 },
    },
  });
  const { screen } = await open();
  for (const text of ['Verificado', 'Lojista', 'marina@example.com', '123.456.789-09', '21/11/2026', 'Ativa'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByText(/R\$.12\.480,37/)).toBeVisible();
  for (const text of ['0,99%', 'R$ 0,10', '1,25%', 'R$ 1,50', '2,75%', 'Ligada', '5%', 'em 30 dias'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
});

test('fees that cannot be loaded say so', async () => {
  gateway.fail(accountTaxes);
  const { screen } = await open();
  await expect.element(screen.getByText('Não foi possível carregar as informações de taxas.')).toBeVisible();
});

test('a picture is sent as it is chosen; what is none, or is too large, is refused before', async () => {
  const avatar = '/favicon.svg';
  gateway.answer(uploadAvatar, () => {
    gateway.answer(profile, { user: { ...user, avatar } });
    return { success: true as const, avatar };
  });
  const { screen } = await open();
  const input = screen.getByLabelText('Escolher foto');
  await input.upload(picture('image/gif'));
  await expect
    .element(screen.getByText('Por favor, selecione uma imagem válida (JPEG, PNG, GIF)'))
    .toBeVisible();
  await input.upload(picture('image/png', 2 * 1024 * 1024 + 1));
  await expect.element(screen.getByText('A imagem deve ter no máximo 2MB')).toBeVisible();
  expect(gateway.calls(uploadAvatar)).toHaveLength(0);
  await input.upload(picture('image/png'));
  await expect.element(screen.getByText('Foto trocada')).toBeVisible();
  const form = gateway.calls(uploadAvatar)[0]?.body;
  expect(form instanceof FormData && [...form.keys()]).toEqual(['avatar']);

  gateway.answer(removeAvatar, () => {
    gateway.answer(profile, { user });
    return { success: true as const };
  });
  await screen.getByRole('button', { name: 'Remover foto' }).click();
  await expect.element(screen.getByRole('button', { name: 'Enviar foto' })).toBeVisible();
});

test('an upload that fails says so', async () => {
  gateway.fail(uploadAvatar);
  const { screen } = await open();
  await screen.getByLabelText('Escolher foto').upload(picture('image/jpeg'));
  await expect.element(screen.getByText('Falha ao fazer upload da imagem. Tente novamente.')).toBeVisible();
});
