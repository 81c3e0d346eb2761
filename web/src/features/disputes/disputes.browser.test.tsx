import {
  type DisputeDetail,
  defendDispute,
  getDispute,
  getDisputeFile,
  listDisputes,
} from '@jangada/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderHook } from 'vitest-browser-react';
import { queryClient } from '../../api/query.ts';
import { focusFirstInvalidField } from '../../app/keep-focus.ts';
import { endSession } from '../../session/session.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { disputesOf, openDispute } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { readDraft, storeDraft } from './defence-draft.ts';
import { DisputesPage } from './disputes-page.tsx';
import { evidenceFrom } from './evidence.ts';
import { useDefence } from './use-defence.ts';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  sessionStorage.clear();
  gateway = stubGateway();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A moment some hours from now; a second is added, so that these hours are not yet over when the page shows them. */
const hoursFromNow = (count: number) => new Date(Date.now() + count * 3_600_000 + 1000).toISOString();
const undefendedDispute: DisputeDetail = {
  ...openDispute,
  deadline: hoursFromNow(49),
  defence: null,
  files: [],
  takes_files: true,
};
const defendedDispute: DisputeDetail = {
  ...undefendedDispute,
  defended_at: '2026-11-21T17:32:00.000Z',
  defence: 'Entregue em 20/11.',
  files: [{ id: '0f0f0f0f-7c41-4d0e-9b3a-61f2d8c07a55', name: 'nota.pdf', type: 'application/pdf', size: 9 }],
};
const openList = (address = '/disputes') => renderScreen(address, DisputesPage);
const openDetail = () => openList(`/disputes?id=${undefendedDispute.id}`);
const pdf = new File(['%PDF-1.4 nota'], 'nota.pdf');

test('each dispute shows the contested, blocked and missing amounts, and the time left to answer', async () => {
  const shortfallDispute = {
    ...undefendedDispute,
    id: 'd2',
    amount: 1250,
    blocked_amount: 830.4,
    shortfall_amount: 419.6,
  };
  const expiredDispute = { ...undefendedDispute, id: 'd3', deadline: hoursFromNow(-1) };
  const wonDispute = {
    ...undefendedDispute,
    id: 'd4',
    status: 'won' as const,
    blocked_amount: 0,
    resolved_at: hoursFromNow(-48),
  };
  gateway.answer(
    listDisputes,
    disputesOf([
      { ...shortfallDispute, deadline: hoursFromNow(5) },
      undefendedDispute,
      expiredDispute,
      wonDispute,
    ]),
  );
  const { screen } = await openList();
  const row = (name: RegExp) => screen.getByRole('row', { name });
  await expect
    .element(row(/R\$ 1\.250,00 R\$ 830,40 ?faltam R\$ 419,60 Espera defesa faltam 5 horas/))
    .toBeVisible();
  await expect.element(row(/R\$ 418,00 R\$ 418,00 Espera defesa faltam 2 dias/)).toBeVisible();
  await expect.element(row(/Em análise prazo encerrado/)).toBeVisible();
  await expect.element(row(/R\$ 418,00 — Ganha encerrada em/)).toBeVisible();
});

test('status and page are kept in the URL, and a row opens its dispute', async () => {
  gateway.answer(listDisputes, { ...disputesOf([undefendedDispute]), total: 25 });
  gateway.answer(getDispute, undefendedDispute);
  const { screen, currentUrl } = await openList();
  await screen.getByText(/^Abertas/).click();
  await expect.poll(currentUrl).toBe('/disputes?status=open');
  await screen.getByRole('button', { name: 'Página 2' }).click();
  await expect.poll(currentUrl).toBe('/disputes?status=open&page=2');
  const lastQuery = () => Object.fromEntries(gateway.calls(listDisputes).at(-1)?.query ?? []);
  await expect.poll(lastQuery).toEqual({ page: '2', pageSize: '10', status: 'open' });
  await screen.getByRole('button', { name: 'Detalhes' }).click();
  await expect.poll(currentUrl).toBe(`/disputes?id=${undefendedDispute.id}`);
  await expect.element(screen.getByRole('heading', { name: 'Sua defesa' })).toBeVisible();
  await screen.getByRole('link', { name: 'Todas as disputas' }).click();
  await expect.poll(currentUrl).toBe('/disputes');
});

test('without disputes the page explains what would be listed, and what a dispute is', async () => {
  gateway.answer(listDisputes, disputesOf([]));
  const { screen } = await openList();
  await expect.element(screen.getByText('Nenhuma disputa', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Como funciona uma disputa')).toBeVisible();
});

test('an unknown dispute is reported, without a retry button', async () => {
  gateway.refuse(getDispute, 'DISPUTE_NOT_FOUND');
  const { screen } = await openDetail();
  await expect.element(screen.getByText('Disputa não encontrada.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Tentar Novamente' }).elements()).toEqual([]);
});

test('a list or a dispute that fails to load says so and can be retried', async () => {
  gateway.refuse(listDisputes, 'OVERLOADED');
  const { screen } = await openList();
  await expect.element(screen.getByText('Erro ao buscar disputas')).toBeVisible();
  await screen.unmount();
  gateway.refuse(getDispute, 'OVERLOADED');
  const detailScreen = (await openDetail()).screen;
  await expect.element(detailScreen.getByText('Erro ao buscar a disputa')).toBeVisible();
  gateway.answer(getDispute, undefendedDispute);
  await detailScreen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(detailScreen.getByText('faltam 2 dias', { exact: true })).toBeVisible();
});

test('an amount that could not be blocked is explained, and the payment is a link', async () => {
  gateway.answer(getDispute, { ...undefendedDispute, shortfall_amount: 419.6 });
  const { screen, currentUrl } = await openDetail();
  await expect.element(screen.getByText('Faltam R$ 419,60.')).toBeVisible();
  await screen.getByRole('link', { name: '5e92fa10' }).click();
  await expect.poll(currentUrl).toBe(`/transactions?id=${undefendedDispute.payment_id}`);
});

test('a defence is sent once, with its files, and then shown', async () => {
  gateway.answer(getDispute, undefendedDispute);
  gateway.answer(defendDispute, defendedDispute);
  gateway.answer(listDisputes, disputesOf([]));
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  await expect.element(screen.getByText('Escreva a sua defesa.')).toBeVisible();
  await screen.getByLabelText('Texto da defesa').fill(' Entregue em 20/11. ');
  await screen.getByLabelText('Anexar arquivos').upload(pdf);
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  const confirmDialog = screen.getByRole('alertdialog', { name: 'Enviar a defesa?' });
  await expect.element(confirmDialog.getByText(/com 1 arquivo/)).toBeVisible();
  await confirmDialog.getByRole('button', { name: 'Enviar' }).click();
  await expect.element(screen.getByText('Enviada em 21/11/2026 às 14:32.')).toBeVisible();
  await expect.element(screen.getByText('Entregue em 20/11.', { exact: true })).toBeVisible();
  expect(gateway.calls(defendDispute).map(({ body }) => body)).toEqual([
    { text: 'Entregue em 20/11.', files: [{ name: 'nota.pdf', content: btoa('%PDF-1.4 nota') }] },
  ]);
  expect(sessionStorage.length).toBe(0);
});

test('a text that is too long is kept, says by how much, and is not sent until it is cut', async () => {
  gateway.answer(getDispute, undefendedDispute);
  const { screen } = await openDetail();
  const field = screen.getByLabelText('Texto da defesa');
  await field.fill(`${'a'.repeat(4120)}\n`);
  await expect
    .element(
      screen.getByText('A defesa tem no máximo 4.000 caracteres, e esta tem 4.120: tire 120.', {
        exact: true,
      }),
    )
    .toBeVisible();
  await expect.element(field).toHaveValue(`${'a'.repeat(4120)}\n`);
  onTestFinished(focusFirstInvalidField(document.body));
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  await expect.element(field).toHaveFocus();
  expect(screen.getByRole('alertdialog').elements()).toEqual([]);
  await field.fill('a'.repeat(4000));
  await expect.element(screen.getByText('4.000 de 4.000 caracteres.')).toBeVisible();
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  await expect.element(screen.getByRole('alertdialog')).toBeVisible();
});

test('files that the bank would refuse each say why, and block the defence until they are removed', async () => {
  gateway.answer(getDispute, undefendedDispute);
  const { screen } = await openDetail();
  await screen.getByLabelText('Texto da defesa').fill('Entregue.');
  const large = new File(
    [new Uint8Array([0x25, 0x50, 0x44, 0x46]), new Uint8Array(2 * 1024 * 1024)],
    'grande.pdf',
  );
  await screen.getByLabelText('Anexar arquivos').upload([pdf, large, new File(['PK'], 'planilha.pdf')]);
  await expect.element(screen.getByText('Cada arquivo tem no máximo 2 MB.')).toBeVisible();
  await expect.element(screen.getByText('Envie arquivos PDF, PNG ou JPEG.', { exact: true })).toBeVisible();
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  await expect.element(screen.getByText('Remova os arquivos que não podem ser enviados.')).toBeVisible();
  await screen.getByRole('button', { name: 'Remover grande.pdf' }).click();
  await screen.getByRole('button', { name: 'Remover planilha.pdf' }).click();
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  await expect.element(screen.getByRole('alertdialog')).toBeVisible();
});

test('a missing text and an invalid file are reported together, and the first is focused', async () => {
  gateway.answer(getDispute, undefendedDispute);
  const { screen } = await openDetail();
  onTestFinished(focusFirstInvalidField(document.body));
  const files = screen.getByLabelText('Anexar arquivos');
  await files.upload(new File(['PK'], 'planilha.pdf'));
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  await expect.element(screen.getByText('Escreva a sua defesa.')).toBeVisible();
  await expect.element(screen.getByText('Remova os arquivos que não podem ser enviados.')).toBeVisible();
  await expect.element(screen.getByLabelText('Texto da defesa')).toHaveFocus();
  await screen.getByLabelText('Texto da defesa').fill('Entregue.');
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  await expect.element(files).toHaveFocus();
});

test('six files are too many, and five are not', async () => {
  gateway.answer(getDispute, undefendedDispute);
  const { screen } = await openDetail();
  const files = Array.from({ length: 6 }, (_, index) => new File(['%PDF-1.4'], `${index}.pdf`));
  await screen.getByLabelText('Anexar arquivos').upload(files);
  await expect.element(screen.getByText('Envie no máximo 5 arquivos.')).toBeVisible();
  await screen.getByRole('button', { name: 'Remover 3.pdf' }).click();
  await expect.element(screen.getByText('Envie no máximo 5 arquivos.')).not.toBeInTheDocument();
});

test('no files are asked for where the bank accepts only text', async () => {
  gateway.answer(getDispute, { ...undefendedDispute, takes_files: false });
  const { screen } = await openDetail();
  await expect.element(screen.getByText(/O banco lê só o texto/)).toBeVisible();
  await expect.element(screen.getByText('Anexar arquivos')).not.toBeInTheDocument();
});

test('the draft and its files survive a visit to another screen', async () => {
  gateway.answer(getDispute, undefendedDispute);
  gateway.answer(listDisputes, disputesOf([undefendedDispute]));
  const { screen } = await openDetail();
  await screen.getByLabelText('Texto da defesa').fill('Entregue.');
  await screen.getByLabelText('Anexar arquivos').upload(pdf);
  await expect.element(screen.getByText('nota.pdf')).toBeVisible();
  await screen.getByRole('link', { name: 'Todas as disputas' }).click();
  await screen.getByRole('button', { name: 'Detalhes' }).click();
  await expect.element(screen.getByLabelText('Texto da defesa')).toHaveValue('Entregue.');
  await expect.element(screen.getByText('nota.pdf')).toBeVisible();
});

test('the draft survives a reload, and signing out deletes it', async () => {
  storeDraft(undefendedDispute.id, { text: 'Entregue.', evidence: [] });
  expect(Object.values(sessionStorage)).toEqual(['Entregue.']);
  expect(readDraft(undefendedDispute.id).text).toBe('Entregue.');
  endSession('refusal');
  expect(readDraft(undefendedDispute.id).text).toBe('Entregue.');
  endSession('sign-out');
  expect(readDraft(undefendedDispute.id)).toEqual({ text: '', evidence: [] });
});

test('a defence that arrived although its request failed is shown as sent', async () => {
  gateway.answer(getDispute, undefendedDispute);
  gateway.fail(defendDispute);
  const { screen } = await openDetail();
  await screen.getByLabelText('Texto da defesa').fill('Entregue.');
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  gateway.answer(getDispute, defendedDispute);
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Enviar' }).click();
  await expect.element(screen.getByText('Enviada em 21/11/2026 às 14:32.')).toBeVisible();
});

test('a refusal is shown in the dialog, and the draft stays', async () => {
  gateway.answer(getDispute, undefendedDispute);
  gateway.refuse(defendDispute, 'DISPUTE_TOO_LATE');
  const { screen } = await openDetail();
  await screen.getByLabelText('Texto da defesa').fill('Entregue.');
  await screen.getByRole('button', { name: 'Enviar defesa' }).click();
  const confirmDialog = screen.getByRole('alertdialog');
  await confirmDialog.getByRole('button', { name: 'Enviar' }).click();
  await expect.element(confirmDialog.getByText('O prazo de defesa desta disputa terminou.')).toBeVisible();
  await confirmDialog.getByRole('button', { name: 'Voltar' }).click();
  await expect.element(screen.getByLabelText('Texto da defesa')).toHaveValue('Entregue.');
});

test('a file of a sent defence is downloaded as it was sent', async () => {
  gateway.answer(getDispute, defendedDispute);
  gateway.answer(getDisputeFile, { name: 'nota.pdf', type: 'application/pdf', content: btoa('%PDF-1.4') });
  const saved: { name: string; text: Promise<string> }[] = [];
  let content: Blob | undefined;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) content = blob;
    return 'about:blank#file';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: content?.text() ?? Promise.resolve('') });
  });
  const { screen } = await openDetail();
  await screen.getByRole('button', { name: 'Baixar nota.pdf' }).click();
  await expect.poll(() => saved).toHaveLength(1);
  expect(saved[0]?.name).toBe('nota.pdf');
  expect(await saved[0]?.text).toBe('%PDF-1.4');
});

test('on a phone the statuses are a select, and the disputes a list', async () => {
  await page.viewport(390, 844);
  gateway.answer(listDisputes, disputesOf([undefendedDispute]));
  const { screen, currentUrl } = await openList();
  await expect.element(screen.getByRole('listitem').getByText('faltam 2 dias')).toBeVisible();
  await screen.getByLabelText('Status').selectOptions('Perdidas');
  await expect.poll(currentUrl).toBe('/disputes?status=lost');
});

test('a text typed while files are read is kept, and so is a file that was added meanwhile', async () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result, act } = await renderHook(() => useDefence('d1'), { wrapper });
  // The function that a file handler holds which started before the updates below.
  const { updateDraft } = result.current;
  const [first] = await evidenceFrom([new File(['%PDF-1'], 'nota.pdf')]);
  const [second] = await evidenceFrom([new File(['%PDF-2'], 'conversa.pdf')]);
  if (first === undefined || second === undefined) throw new Error('no files');
  await act(() => result.current.updateDraft(() => ({ text: 'Foi entregue.' })));
  await act(() => result.current.updateDraft(({ evidence }) => ({ evidence: [...evidence, first] })));
  await act(() => updateDraft(({ evidence }) => ({ evidence: [...evidence, second] })));
  expect(result.current.draft).toEqual({ text: 'Foi entregue.', evidence: [first, second] });
  endSession('sign-out');
});
