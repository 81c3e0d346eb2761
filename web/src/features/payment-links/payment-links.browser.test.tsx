import {
  accountTaxes,
  createPaymentLink,
  errors,
  getKyc,
  getPaymentLink,
  listPaymentLinks,
  listPayments,
  type PaymentLink,
  profile,
  publicSettings,
  updatePaymentLink,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { paymentLink } from '../../testing/offer-samples.ts';
import { mockShare, renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { kycNone, settings, taxes, transaction, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { PaymentLinksPage } from './payment-links-page.tsx';

let gateway: StubbedGateway;
const stubLinks = (...data: PaymentLink[]) => gateway.answer(listPaymentLinks, { data, next: null });
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(profile, { user });
  gateway.answer(listPayments, { data: [], next: null });
  stubLinks(paymentLink);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openList = () => renderScreen('/payment-links', PaymentLinksPage);
const openLink = () => renderScreen(`/payment-links?id=${paymentLink.id}`, PaymentLinksPage);

// This test is the first, because the cached account of a later test would hide the inactive one.
test('a merchant whose API is inactive is warned', async () => {
  gateway.answer(profile, { user: { ...user, apiActive: false } });
  const { screen } = await openList();
  await expect.element(screen.getByText('Sua API está inativa.')).toBeVisible();
});

test('each link shows its amount, what it has received and whether it accepts payments, at any width', async () => {
  stubLinks(
    paymentLink,
    { ...paymentLink, id: 'b', title: 'Doação', amount: null, max_payments: null, payments: 0, received: 0 },
    { ...paymentLink, id: 'c', title: 'Rifa', state: 'sold_out', payments: 100, received: 1000 },
    { ...paymentLink, id: 'd', title: 'Curso', state: 'ended', ends_at: '2026-11-21T15:00:00.000Z' },
    { ...paymentLink, id: 'e', title: 'Antigo', state: 'off', active: false },
  );
  const { screen } = await openList();
  const row = (name: RegExp) => screen.getByRole('row', { name });
  await expect.element(row(/Camiseta Jangada.*R\$.89,90 Ativo 12 de 100 R\$.1\.078,80/)).toBeVisible();
  await expect.element(row(/Doação.*Valor livre Ativo 0 R\$.0,00/)).toBeVisible();
  await expect.element(row(/Rifa.*Esgotado 100 de 100/)).toBeVisible();
  await expect.element(row(/Curso.*Encerrado/)).toBeVisible();
  await expect.element(row(/Antigo.*Desligado/)).toBeVisible();
  await page.viewport(768, 1024);
  // The panel leaves a margin beside its screens, into which the highlight of a row under the pointer extends.
  screen.getByRole('main').element().setAttribute('style', 'padding-inline: 12px');
  await expect.element(row(/Rifa.*100 de 100 pagamentos/)).toBeVisible();
  expect(screen.getByText('Camiseta Jangada').element().clientHeight).toBeLessThan(30);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(768);
  await page.viewport(390, 844);
  const items = screen.getByRole('list', { name: 'Links de pagamento' }).getByRole('listitem');
  await expect.element(items.filter({ hasText: 'Doação' }).getByText('Valor livre')).toBeVisible();
  await expect.element(items.filter({ hasText: 'Rifa' }).getByText('100 de 100 pagamentos')).toBeVisible();
});

test('a link is created, and can then be copied, sent and shown', async () => {
  const written = spyClipboard();
  const share = mockShare();
  stubLinks();
  const { screen, currentUrl } = await openList();
  await screen.getByRole('button', { name: 'Criar link' }).click();
  const form = screen.getByRole('dialog', { name: 'Criar link' });
  const send = form.getByRole('button', { name: 'Criar link' });
  await form.getByLabelText(/^Limite de pagamentos/).fill('0');
  await form.getByLabelText(/^Encerra em/).fill('2020-01-31T18:00');
  await form.getByLabelText(/^Página de retorno/).fill('loja.example');
  await send.click();
  for (const problem of [
    'Informe um título.',
    errors.AMOUNT_INVALID.message,
    'Informe um número inteiro, de 1 a 1.000.000.',
    errors.LINK_END_INVALID.message,
    /^Informe o endereço inteiro/,
  ])
    await expect.element(form.getByText(problem)).toBeVisible();
  await expect.element(form.getByLabelText('Título')).toHaveFocus();
  expect(gateway.calls(createPaymentLink)).toEqual([]);

  await form.getByLabelText('Título').fill(' Camiseta Jangada ');
  await form.getByLabelText('Valor de cada pagamento').click();
  await userEvent.keyboard('8990');
  await form.getByLabelText(/^Limite de pagamentos/).fill('1.000');
  await form.getByLabelText(/^Encerra em/).fill('');
  await form.getByLabelText(/^Encerra em/).click();
  await userEvent.keyboard('12');
  await send.click();
  await expect.element(form.getByText('Informe o dia e a hora.')).toBeVisible();
  expect(gateway.calls(createPaymentLink)).toEqual([]);
  await form.getByLabelText(/^Encerra em/).fill('2999-12-31T18:00');
  await form.getByLabelText(/^Página de retorno/).fill('https://loja.example/obrigado');
  gateway.refuse(createPaymentLink, 'INVALID_SUCCESS_URL');
  await send.click();
  await expect.element(form.getByText(errors.INVALID_SUCCESS_URL.message)).toBeVisible();
  await expect.element(form.getByLabelText(/^Página de retorno/)).toHaveFocus();
  await form.getByLabelText(/^Página de retorno/).fill('');
  gateway.refuse(createPaymentLink, 'INVALID_BODY', {
    fields: [{ field: 'title', message: 'Título ruim.' }],
  });
  await send.click();
  await expect.element(form.getByText('Título ruim.')).toBeVisible();
  gateway.answer(createPaymentLink, paymentLink);
  gateway.stall(listPaymentLinks);
  await send.click();

  const createdDialog = screen.getByRole('dialog', { name: 'Link criado' });
  await expect.element(createdDialog.getByText('pix.example.com/link/k7TzQ9vB2mXw8RfL')).toBeVisible();
  expect(gateway.calls(createPaymentLink).at(-1)?.body).toEqual({
    title: 'Camiseta Jangada',
    description: null,
    amount: 89.9,
    max_payments: 1000,
    ends_at: '2999-12-31T21:00:00.000Z',
    success_url: null,
    active: true,
  });
  expect(currentUrl()).toBe(`/payment-links?id=${paymentLink.id}`);
  await expect.element(createdDialog.getByAltText('QR Code que abre o link')).toBeVisible();
  await createdDialog.getByRole('button', { name: 'Copiar link' }).click();
  expect(written).toEqual([paymentLink.url]);
  await createdDialog.getByRole('button', { name: 'Enviar link' }).click();
  expect(share).toHaveBeenCalledWith({
    text: 'Camiseta Jangada, para pagar com Pix:',
    url: paymentLink.url,
  });
  await expect
    .element(createdDialog.getByRole('link', { name: 'Abrir' }))
    .toHaveAttribute('href', paymentLink.url);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('row', { name: /Camiseta Jangada/ })).toBeVisible();
});

test('a link with an open amount is sent without an amount', async () => {
  gateway.answer(createPaymentLink, { ...paymentLink, amount: null });
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Criar link' }).click();
  const form = screen.getByRole('dialog', { name: 'Criar link' });
  await form.getByLabelText('Título').fill('Doação');
  await form.getByText('Valor livre', { exact: true }).click();
  await form.getByRole('button', { name: 'Criar link' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Link criado' })).toBeVisible();
  expect(gateway.calls(createPaymentLink)[0]?.body).toMatchObject({ title: 'Doação', amount: null });
});

test('the form of a change starts with the saved values, keeps the end to the second, and sends the version that was loaded', async () => {
  const ending = { ...paymentLink, ends_at: '2026-11-21T15:00:41.000Z', state: 'ended' as const };
  stubLinks(ending);
  const { screen } = await openLink();
  await expect.element(screen.getByText(/^O prazo terminou em 21\/11\/2026/)).toBeVisible();
  await screen.getByRole('button', { name: 'Editar' }).click();
  const form = screen.getByRole('dialog', { name: 'Editar link' });
  await expect.element(form.getByLabelText(/^Encerra em/)).toHaveValue('2026-11-21T12:00');
  await form.getByLabelText('Título').fill('Camiseta');
  gateway.answer(updatePaymentLink, { ...ending, title: 'Camiseta', version: 4 });
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText('Link salvo')).toBeVisible();
  expect(gateway.calls(updatePaymentLink)[0]?.body).toEqual({
    title: 'Camiseta',
    description: 'Algodão, do P ao GG.',
    amount: 89.9,
    max_payments: 100,
    ends_at: '2026-11-21T15:00:41.000Z',
    success_url: 'https://loja.example/obrigado',
    active: true,
    version: 3,
  });
});

test('a change by somebody else meanwhile is reported, and loaded when the merchant asks for it', async () => {
  const { screen } = await openLink();
  await screen.getByRole('button', { name: 'Editar' }).click();
  const form = screen.getByRole('dialog', { name: 'Editar link' });
  await form.getByLabelText('Título').fill('Camiseta');
  gateway.refuse(updatePaymentLink, 'STALE_VERSION');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(form.getByText(/^Este link foi alterado enquanto isso/)).toBeVisible();
  gateway.answer(getPaymentLink, { ...paymentLink, title: 'Regata', version: 4 });
  await form.getByRole('button', { name: 'Recarregar' }).click();
  await expect.element(form.getByLabelText('Título')).toHaveValue('Regata');
  gateway.answer(updatePaymentLink, { ...paymentLink, version: 5 });
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText('Link salvo')).toBeVisible();
  expect(gateway.calls(updatePaymentLink).at(-1)?.body).toMatchObject({ version: 4 });
});

test('Esc asks before it discards input, and closes an unedited dialog immediately', async () => {
  const { screen } = await openLink();
  await screen.getByRole('button', { name: 'Editar' }).click();
  const form = screen.getByRole('dialog', { name: 'Editar link' });
  await form.getByLabelText('Título').fill('Outro');
  await userEvent.keyboard('{Escape}');
  const confirmation = screen.getByRole('alertdialog', { name: 'Descartar alterações?' });
  await confirmation.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(form.getByLabelText('Título')).toHaveValue('Outro');
  await userEvent.keyboard('{Escape}');
  await confirmation.getByRole('button', { name: 'Descartar' }).click();
  await expect.element(form).not.toBeInTheDocument();
  await expect.element(screen.getByRole('dialog', { name: 'Link de pagamento' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
});

test('a link is turned off after a confirmation, and on again, with its other fields unchanged', async () => {
  const { screen } = await openLink();
  await screen.getByRole('button', { name: 'Desligar' }).click();
  const confirmation = screen.getByRole('alertdialog', { name: 'Desligar “Camiseta Jangada”?' });
  await expect.element(confirmation.getByText(/ainda pode ser pago até vencer/)).toBeVisible();
  const off: PaymentLink = { ...paymentLink, active: false, state: 'off', version: 4 };
  gateway.answer(updatePaymentLink, () => {
    stubLinks(off);
    return off;
  });
  await confirmation.getByRole('button', { name: 'Desligar' }).click();
  await expect.element(screen.getByText('Link desligado')).toBeVisible();
  const { title, description, amount, max_payments, ends_at, success_url } = paymentLink;
  expect(gateway.calls(updatePaymentLink)[0]?.body).toEqual({
    ...{ title, description, amount, max_payments, ends_at, success_url },
    ...{ active: false, version: 3 },
  });
  gateway.answer(updatePaymentLink, paymentLink);
  gateway.stall(listPaymentLinks);
  await screen.getByRole('button', { name: 'Ligar' }).click();
  await expect.element(screen.getByText('Link ligado')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Desligar' })).toBeVisible();
  expect(gateway.calls(updatePaymentLink)[1]?.body).toMatchObject({ active: true, version: 4 });
});

test('more links are loaded on request, and the filter is kept in the URL', async () => {
  const next = { ...paymentLink, id: 'b', title: 'Mais antigo' };
  gateway.answer(listPaymentLinks, ({ query }) =>
    query.get('before') === 'c1' ? { data: [next], next: null } : { data: [paymentLink], next: 'c1' },
  );
  const { screen, currentUrl } = await openList();
  await screen.getByRole('button', { name: 'Carregar mais' }).click();
  await expect.element(screen.getByText('Mais antigo')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Carregar mais' })).not.toBeInTheDocument();
  stubLinks();
  await screen.getByText('Inativos').click();
  await expect.element(screen.getByText('Nenhum inativo')).toBeVisible();
  expect(currentUrl()).toBe('/payment-links?status=ended');
  expect(gateway.calls(listPaymentLinks).at(-1)?.query.get('status')).toBe('ended');
  gateway.stall(listPaymentLinks);
  await screen.getByText('Ativos', { exact: true }).click();
  await expect.poll(() => document.querySelector('table')?.ariaBusy).toBe('true');
  expect(screen.getByText('Nenhum ativo').elements()).toEqual([]);
  await expect.element(screen.getByRole('button', { name: 'Criar link' })).toBeVisible();
});

test('an account that is not approved sees why, and cannot create a link', async () => {
  gateway.answer(profile, { user: { ...user, approved: false } });
  stubLinks();
  gateway.answer(getKyc, kycNone);
  const { screen } = await renderScreen('/payment-links', PaymentLinksPage, { approved: false });
  await expect.element(screen.getByText('Falta verificar sua identidade')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Criar link' })).not.toBeInTheDocument();
});

test('an open link lists its newest payments, each linked to its transaction, with the refunded amounts', async () => {
  const refunded = {
    ...transaction,
    id: 'back',
    status: 'refunded',
    refunded_amount: transaction.amount,
    paid_at: '2026-11-21T17:40:00.000Z',
  } as const;
  gateway.answer(listPayments, ({ query }) => ({
    data: [query.get('status') === 'paid' ? transaction : refunded],
    next: null,
  }));
  const { screen } = await openLink();
  await expect
    .element(screen.getByRole('link', { name: '21/11/2026 13:58' }))
    .toHaveAttribute('href', `/transactions?id=${transaction.id}`);
  const times = screen.getByRole('link', { name: /^21\/11\/2026/ }).elements();
  expect(times.map((time) => time.textContent)).toEqual(['21/11/2026 14:40', '21/11/2026 13:58']);
  await expect.element(screen.getByText('R$ 412,90 devolvido')).toBeVisible();
  for (const { query } of gateway.calls(listPayments))
    expect(query.get('payment_link_id')).toBe(paymentLink.id);
});

test('a failed load of links can be retried, and a link that does not exist is reported', async () => {
  gateway.fail(listPaymentLinks);
  gateway.refuse(getPaymentLink, 'PAYMENT_LINK_NOT_FOUND');
  const { screen } = await openLink();
  await expect.element(screen.getByText('Este link não foi encontrado na sua conta.')).toBeVisible();
  await screen.getByRole('button', { name: 'Fechar' }).last().click();
  await expect.element(screen.getByText('Erro ao buscar os links')).toBeVisible();
  stubLinks(paymentLink);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('Camiseta Jangada')).toBeVisible();
});

test.each(['fail', 'disconnect'] as const)(
  'after an unknown outcome (%s) the list is refetched, and the merchant is asked to check it',
  async (failure) => {
    stubLinks();
    gateway[failure](createPaymentLink);
    const { screen } = await openList();
    await screen.getByRole('button', { name: 'Criar link' }).click();
    const form = screen.getByRole('dialog', { name: 'Criar link' });
    await form.getByLabelText('Título').fill('Doação');
    await form.getByText('Valor livre', { exact: true }).click();
    stubLinks(paymentLink);
    await form.getByRole('button', { name: 'Criar link' }).click();
    await expect
      .element(form.getByRole('alert'))
      .toHaveTextContent('Não sabemos se o link foi criado. Confira a lista antes de tentar de novo.');
    await expect.element(screen.getByRole('row', { name: /Camiseta Jangada/ })).toBeInTheDocument();
  },
);
