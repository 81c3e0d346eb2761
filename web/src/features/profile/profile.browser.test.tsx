import {
  accountTaxes,
  type Brand,
  changeBrand,
  getBrand,
  profile,
  publicSettings,
  removeAvatar,
  removeLogo,
  uploadAvatar,
  uploadLogo,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { noBrand } from '../../testing/offer-samples.ts';
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
  gateway.answer(getBrand, noBrand);
});
afterEach(() => vi.unstubAllGlobals());

const openProfile = () => renderScreen('/profile', ProfilePage);
const pictureFile = (type: string, size = 10) => new File([new Uint8Array(size)], 'foto', { type });

// This test is the first, because the account that a later test loads stays cached.
test('a failed load of the account is shown, and can be retried', async () => {
  gateway.fail(profile);
  const { screen } = await openProfile();
  await expect.element(screen.getByText('Não foi possível carregar os dados do usuário.')).toBeVisible();
  gateway.answer(profile, { user });
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('marina@example.com')).toBeVisible();
});

test('the profile shows the identity, the approval, the balance and the fees of the account', async () => {
  gateway.answer(accountTaxes, {
    success: true,
    data: {
      pix: { in: 0.99, out: 1.25, fixIn: 0.1, fixOut: 1.5 },
      crypto: 2.75,
      reserve: { enabled: true, percentage: 5, liberationTime: 30 },
    },
  });
  const { screen } = await openProfile();
  for (const text of ['Verificado', 'Lojista', 'marina@example.com', '123.456.789-09', '21/11/2026', 'Ativa'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByText(/R\$.12\.480,37/)).toBeVisible();
  for (const text of ['0,99%', 'R$ 0,10', '1,25%', 'R$ 1,50', '2,75%', 'Ligada', '5%', 'em 30 dias'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
});

test('unknown fields of an account are shown as N/A', async () => {
  gateway.answer(profile, { user: { ...user, email: '' } });
  const { screen } = await openProfile();
  // The account cached by an earlier test is shown until it is refetched.
  await queryClient.refetchQueries(profileQuery);
  await expect.element(screen.getByText('N/A', { exact: true })).toBeVisible();
});

test('a failed load of the fees is shown', async () => {
  gateway.fail(accountTaxes);
  const { screen } = await openProfile();
  await expect.element(screen.getByText('Não foi possível carregar as informações de taxas.')).toBeVisible();
});

test('a picture is uploaded as soon as it is chosen; a file of another type or a too large one is refused before', async () => {
  const avatar = '/favicon.svg';
  gateway.answer(uploadAvatar, () => {
    gateway.answer(profile, { user: { ...user, avatar } });
    return { success: true as const, avatar };
  });
  const { screen } = await openProfile();
  const input = screen.getByLabelText('Escolher foto');
  await input.upload(pictureFile('image/gif'));
  await expect
    .element(screen.getByText('Por favor, selecione uma imagem válida (JPEG, PNG, GIF)'))
    .toBeVisible();
  await input.upload(pictureFile('image/png', 2 * 1024 * 1024 + 1));
  await expect.element(screen.getByText('A imagem deve ter no máximo 2MB')).toBeVisible();
  expect(gateway.calls(uploadAvatar)).toHaveLength(0);
  await input.upload(pictureFile('image/png'));
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

test('a failed upload is shown', async () => {
  gateway.fail(uploadAvatar);
  const { screen } = await openProfile();
  await screen.getByLabelText('Escolher foto').upload(pictureFile('image/jpeg'));
  await expect.element(screen.getByText('Falha ao fazer upload da imagem. Tente novamente.')).toBeVisible();
});

test('the name and colour of the payers’ pages are previewed while typed, and saved', async () => {
  const { screen } = await openProfile();
  const preview = screen.getByRole('figure', { name: 'Como quem paga vê' });
  await expect.element(preview.getByText('CPF ***.456.789-**')).toBeVisible();
  await screen.getByLabelText('Nome de exibição').fill(' Empório Capibaribe ');
  await screen.getByLabelText('Cor', { exact: true }).fill('amarelo');
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText('Informe a cor como #1a2b3c.')).toBeVisible();
  expect(gateway.calls(changeBrand)).toEqual([]);
  await screen.getByRole('button', { name: 'Amarelo' }).click();
  await expect.element(preview.getByText('Empório Capibaribe')).toBeVisible();
  const button = preview.getByText('Copiar código Pix');
  await expect.element(button).toHaveStyle({ backgroundColor: 'rgb(250, 204, 21)', color: 'rgb(0, 0, 0)' });
  const saved: Brand = { display_name: 'Empório Capibaribe', colour: '#facc15', logo: null };
  gateway.fail(changeBrand);
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText(/^Erro ao salvar a página de pagamento/)).toBeVisible();
  gateway.answer(changeBrand, saved);
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText('Página de pagamento salva')).toBeVisible();
  expect(gateway.calls(changeBrand).at(-1)?.body).toEqual({
    display_name: 'Empório Capibaribe',
    colour: '#facc15',
  });
  await expect.element(screen.getByRole('button', { name: 'Salvar' })).toBeDisabled();
});

test('a logo is uploaded as soon as it is chosen and can be removed; a file of another type is refused before', async () => {
  const { screen } = await openProfile();
  const input = screen.getByLabelText('Escolher logotipo');
  await input.upload(pictureFile('image/gif'));
  await expect.element(screen.getByText(/^Por favor, selecione uma imagem válida/)).toBeVisible();
  expect(gateway.calls(uploadLogo)).toHaveLength(0);
  gateway.answer(uploadLogo, { ...noBrand, logo: '/favicon.svg' });
  await input.upload(pictureFile('image/png'));
  await expect.element(screen.getByText('Logotipo trocado')).toBeVisible();
  await expect.element(screen.getByAltText('Logotipo')).toHaveAttribute('src', '/favicon.svg');
  const form = gateway.calls(uploadLogo)[0]?.body;
  expect(form instanceof FormData && [...form.keys()]).toEqual(['logo']);
  gateway.answer(removeLogo, noBrand);
  await screen.getByRole('button', { name: 'Remover logotipo' }).click();
  await expect.element(screen.getByRole('button', { name: 'Enviar logotipo' })).toBeVisible();
});

test('a support account, which needs no approval, shows no pending verification', async () => {
  gateway.answer(profile, { user: { ...user, role: 'SUPPORT', approved: false } });
  const { screen } = await openProfile();
  await queryClient.refetchQueries(profileQuery);
  await expect.element(screen.getByText('Suporte', { exact: true })).toBeVisible();
  expect(screen.getByText('Verificação pendente').elements()).toEqual([]);
});

test('text typed while the payers’ page is being saved stays', async () => {
  const { screen } = await openProfile();
  const name = screen.getByLabelText('Nome de exibição');
  await name.fill('Loja');
  const released = Promise.withResolvers<void>();
  gateway.answer(changeBrand, { ...noBrand, display_name: 'Loja' });
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    if (init.method === 'PUT') await released.promise;
    return response;
  });
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect.poll(() => gateway.calls(changeBrand)).toHaveLength(1);
  await name.fill('Loja da Ana');
  released.resolve();
  await expect.element(screen.getByText('Página de pagamento salva')).toBeVisible();
  await expect.element(name).toHaveValue('Loja da Ana');
});

// This test is the last, because a call that the provider lacks is not made again.
test('a failed load of the brand can be retried, and a provider without brands shows no such section', async () => {
  gateway.fail(getBrand);
  const { screen } = await openProfile();
  await expect.element(screen.getByText('Erro ao buscar a página de pagamento.')).toBeVisible();
  gateway.refuse(getBrand, 'NOT_FOUND');
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Página de pagamento' })).not.toBeInTheDocument();
});
