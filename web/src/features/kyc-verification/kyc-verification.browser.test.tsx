import {
  apiKeyStatus,
  errors,
  getKyc,
  type KycState,
  parseUser,
  profile,
  publicSettings,
  verifyCpf,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { kycQuery, profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { kycNone, settings, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { KycVerificationPage } from './kyc-verification-page.tsx';

const pending: KycState = { ...kycNone, status: 'pending', submitted_at: '2026-11-21T17:32:00.000Z' };
const unapproved = { ...user, approved: false };

let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user: unapproved });
  gateway.answer(getKyc, kycNone);
});
afterEach(() => vi.unstubAllGlobals());

const open = (signed: Parameters<typeof renderScreen>[2] = {}) =>
  renderScreen('/kyc-verification', KycVerificationPage, { approved: false, ...signed });

/** A picture that a browser can open, each of them another one. */
async function drawn(shade: number, width = 400, height = 300): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('nothing to draw on');
  context.fillStyle = `rgb(${shade}, 0, 0)`;
  context.fillRect(0, 0, width, height);
  return canvas.convertToBlob();
}
const picture = (name: string, bytes: BlobPart) => new File([bytes], name, { type: 'image/png' });

type Screen = Awaited<ReturnType<typeof open>>['screen'];
const sides = ['Frente do documento', 'Verso do documento', 'Selfie com o documento'];
async function choose(screen: Screen, side: string, file: File) {
  await screen.getByLabelText(`Escolher imagem: ${side}`).upload(file);
}
async function chooseAll(screen: Screen) {
  for (const [at, side] of sides.entries()) {
    await choose(screen, side, picture(`${side}.png`, await drawn(at)));
    await expect.element(screen.getByRole('img', { name: side })).toBeVisible();
  }
}

test('three pictures are shown before they are sent, and sent together under their names', async () => {
  gateway.answer(verifyCpf, { success: true, ...pending });
  const { screen } = await open();
  await chooseAll(screen);
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  await expect.element(screen.getByText('Documentos enviados com sucesso!')).toBeVisible();
  await expect.element(screen.getByText('Aguarde a análise da nossa equipe.')).toBeVisible();
  await expect.element(screen.getByText('21/11/2026 às 14:32', { exact: false })).toBeVisible();
  const form = gateway.calls(verifyCpf)[0]?.body;
  if (!(form instanceof FormData)) throw new Error('not a form');
  expect([...form.keys()]).toEqual(['document_front', 'document_back', 'selfie']);
});

test('nothing is sent while a picture is missing, and one that is taken out is missing again', async () => {
  const { screen } = await open();
  await chooseAll(screen);
  await screen.getByRole('button', { name: 'Remover verso do documento' }).click();
  await expect.element(screen.getByRole('img', { name: 'Verso do documento' })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Por favor, envie todas as imagens necessárias.');
  expect(gateway.calls(verifyCpf)).toHaveLength(0);
});

test('a file that is no picture, whatever its name says, is refused where it was chosen', async () => {
  const { screen } = await open();
  await choose(screen, 'Frente do documento', picture('a.png', '<svg onload="alert(1)"/>'));
  await expect.element(screen.getByText('Envie só imagens: fotos em JPEG, PNG ou WebP.')).toBeVisible();
  // Begins like one, and cannot be opened.
  await choose(screen, 'Verso do documento', picture('b.png', '\u0089PNG broken'));
  await expect.poll(() => screen.getByText('Envie só imagens:', { exact: false }).elements()).toHaveLength(2);
  await choose(screen, 'Selfie com o documento', picture('c.png', await drawn(3)));
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  expect(gateway.calls(verifyCpf)).toHaveLength(0);
});

test('a picture too small to be read, and one that was chosen for another side, are refused where they were chosen', async () => {
  const { screen } = await open();
  await choose(screen, 'Frente do documento', picture('a.png', await drawn(1, 2000, 299)));
  await expect.element(screen.getByText(errors.PICTURE_TOO_SMALL.message)).toBeVisible();
  await choose(screen, 'Verso do documento', picture('b.png', await drawn(2)));
  await expect.element(screen.getByRole('img', { name: 'Verso do documento' })).toBeVisible();
  await choose(screen, 'Selfie com o documento', picture('c.png', await drawn(2)));
  await expect
    .element(screen.getByText('Esta imagem já está em “Verso do documento”. Escolha outra.'))
    .toBeVisible();
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  expect(gateway.calls(verifyCpf)).toHaveLength(0);
});

test('a picture that was refused takes no other side: once its twin is taken out it is free again', async () => {
  const { screen } = await open();
  const [front, back] = sides;
  if (front === undefined || back === undefined) throw new Error('no sides');
  const same = await drawn(7);
  await choose(screen, front, picture('a.png', same));
  await expect.element(screen.getByRole('img', { name: front })).toBeVisible();
  await choose(screen, back, picture('a.png', same));
  const refusal = screen.getByText('Esta imagem já está em', { exact: false });
  await expect.element(refusal).toBeVisible();
  await screen.getByRole('button', { name: 'Remover frente do documento' }).click();
  await expect.element(refusal).not.toBeInTheDocument();
  await choose(screen, front, picture('a.png', same));
  await expect.element(screen.getByRole('img', { name: front })).toBeVisible();
  await expect.element(refusal).not.toBeInTheDocument();
});

test('a picture refused for its size or its kind does not count for another side either', async () => {
  const { screen } = await open();
  const small = await drawn(8, 2000, 299);
  const refusals = () => screen.getByText(errors.PICTURE_TOO_SMALL.message).elements();
  await choose(screen, 'Frente do documento', picture('a.png', small));
  await expect.poll(refusals).toHaveLength(1);
  await choose(screen, 'Verso do documento', picture('b.png', small));
  await expect.poll(refusals).toHaveLength(2);
});

test('the keyboard stays where a picture was chosen and where it was taken out', async () => {
  const { screen } = await open();
  const field = screen.getByLabelText('Escolher imagem: Frente do documento');
  await expect.element(field).toBeInTheDocument();
  field.element().focus();
  await choose(screen, 'Frente do documento', picture('a.png', await drawn(1)));
  const removal = screen.getByRole('button', { name: 'Remover frente do documento' });
  await expect.element(removal).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveFocus();
});

test('a sending that fails says why and keeps the pictures', async () => {
  gateway.fail(verifyCpf);
  const { screen } = await open();
  await chooseAll(screen);
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Erro ao enviar documentos.');
  await expect.element(screen.getByRole('img', { name: 'Selfie com o documento' })).toBeVisible();
  gateway.refuse(verifyCpf, 'PICTURE_NOT_ACCEPTED');
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Envie só imagens: fotos em JPEG, PNG ou WebP.');
});

test('who was rejected reads the reason and can send again; an approval shows as it comes', async () => {
  gateway.answer(getKyc, { ...kycNone, status: 'rejected', reason: 'A selfie está escura' });
  const { screen } = await open();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent(
      'Seus documentos não foram aceitos. Motivo: A selfie está escura. Você pode enviar de novo.',
    );
  await expect.element(screen.getByRole('button', { name: 'Enviar Documentos' })).toBeVisible();
  gateway.answer(getKyc, pending);
  await queryClient.invalidateQueries(kycQuery);
  await expect.element(screen.getByText('Aguarde a análise da nossa equipe.')).toBeVisible();
});

test('an approved account is told that all is open, and that a key is missing for its first charge', async () => {
  gateway.answer(profile, { user });
  gateway.answer(apiKeyStatus, { hasKey: false, active: false, key: null, masked: null });
  const { screen } = await open({ approved: true });
  await expect.element(screen.getByText('Conta aprovada')).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Chaves de API' }))
    .toHaveAttribute('href', '/api-keys');
  await expect.element(screen.getByRole('button', { name: 'Enviar Documentos' })).not.toBeInTheDocument();
});

test('a company sends its documents to the address that the gateway names; closing returns to the start', async () => {
  gateway.answer(publicSettings, { ...settings, adminEmail: 'contas@loja.test' });
  const { screen } = await open({ docType: 'CNPJ' });
  await expect
    .element(screen.getByRole('link', { name: 'contas@loja.test' }))
    .toHaveAttribute('href', 'mailto:contas@loja.test');
  await expect.element(screen.getByRole('link', { name: 'Fechar' })).toHaveAttribute('href', '/');
  await expect.element(screen.getByRole('button', { name: 'Enviar Documentos' })).not.toBeInTheDocument();
});

test('a document of 14 characters is a company too, and without a named address it asks the operator', async () => {
  const { screen } = await open();
  queryClient.setQueryData(profileQuery.queryKey, parseUser({ ...unapproved, document: '12ABC34501DE35' }));
  await expect.element(screen.getByText('Verificação de empresa')).toBeVisible();
  await expect
    .element(screen.getByText('Fale com quem administra este gateway', { exact: false }))
    .toBeVisible();
});

test('a state that cannot be loaded can be asked for again', async () => {
  gateway.refuse(getKyc, 'UNAVAILABLE');
  const { screen } = await open();
  await expect.element(screen.getByText('Não foi possível carregar a verificação')).toBeVisible();
  gateway.answer(getKyc, kycNone);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('button', { name: 'Enviar Documentos' })).toBeVisible();
});
