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
const unapprovedUser = { ...user, approved: false };

let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user: unapprovedUser });
  gateway.answer(getKyc, kycNone);
});
afterEach(() => vi.unstubAllGlobals());

const openPage = (session: Parameters<typeof renderScreen>[2] = {}) =>
  renderScreen('/kyc-verification', KycVerificationPage, { approved: false, ...session });

/** A picture that a browser can open. Pictures with different shades are different files. */
async function drawPicture(shade: number, width = 400, height = 300): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('nothing to draw on');
  context.fillStyle = `rgb(${shade}, 0, 0)`;
  context.fillRect(0, 0, width, height);
  return canvas.convertToBlob();
}
const pictureFile = (name: string, bytes: BlobPart) => new File([bytes], name, { type: 'image/png' });

type Screen = Awaited<ReturnType<typeof openPage>>['screen'];
const sides = ['Frente do documento', 'Verso do documento', 'Selfie com o documento'];
async function choosePicture(screen: Screen, side: string, file: File) {
  await screen.getByLabelText(`Escolher imagem: ${side}`).upload(file);
}
async function chooseAllPictures(screen: Screen) {
  for (const [index, side] of sides.entries()) {
    await choosePicture(screen, side, pictureFile(`${side}.png`, await drawPicture(index)));
    await expect.element(screen.getByRole('img', { name: side })).toBeVisible();
  }
}

test('three pictures are shown before they are sent, and are sent together under the names of their sides', async () => {
  gateway.answer(verifyCpf, { success: true, ...pending });
  const { screen } = await openPage();
  await chooseAllPictures(screen);
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  await expect.element(screen.getByText('Documentos enviados com sucesso!')).toBeVisible();
  await expect.element(screen.getByText('Aguarde a análise da nossa equipe.')).toBeVisible();
  await expect.element(screen.getByText('21/11/2026 às 14:32', { exact: false })).toBeVisible();
  const form = gateway.calls(verifyCpf)[0]?.body;
  if (!(form instanceof FormData)) throw new Error('not a form');
  expect([...form.keys()]).toEqual(['document_front', 'document_back', 'selfie']);
});

test('nothing is sent while a picture is missing, also one that was removed', async () => {
  const { screen } = await openPage();
  await chooseAllPictures(screen);
  await screen.getByRole('button', { name: 'Remover verso do documento' }).click();
  await expect.element(screen.getByRole('img', { name: 'Verso do documento' })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Por favor, envie todas as imagens necessárias.');
  expect(gateway.calls(verifyCpf)).toHaveLength(0);
});

test('a file that is not a picture is refused at its field, whatever its name', async () => {
  const { screen } = await openPage();
  await choosePicture(screen, 'Frente do documento', pictureFile('a.png', '<svg onload="alert(1)"/>'));
  await expect.element(screen.getByText('Envie só imagens: fotos em JPEG, PNG ou WebP.')).toBeVisible();
  // This file begins like a picture, but a browser cannot open it.
  await choosePicture(screen, 'Verso do documento', pictureFile('b.png', '\u0089PNG broken'));
  await expect.poll(() => screen.getByText('Envie só imagens:', { exact: false }).elements()).toHaveLength(2);
  await choosePicture(screen, 'Selfie com o documento', pictureFile('c.png', await drawPicture(3)));
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  expect(gateway.calls(verifyCpf)).toHaveLength(0);
});

test('a picture that is too small, or that was already chosen for another side, is refused at its field', async () => {
  const { screen } = await openPage();
  await choosePicture(screen, 'Frente do documento', pictureFile('a.png', await drawPicture(1, 2000, 299)));
  await expect.element(screen.getByText(errors.PICTURE_TOO_SMALL.message)).toBeVisible();
  await choosePicture(screen, 'Verso do documento', pictureFile('b.png', await drawPicture(2)));
  await expect.element(screen.getByRole('img', { name: 'Verso do documento' })).toBeVisible();
  await choosePicture(screen, 'Selfie com o documento', pictureFile('c.png', await drawPicture(2)));
  await expect
    .element(screen.getByText('Esta imagem já está em “Verso do documento”. Escolha outra.'))
    .toBeVisible();
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  expect(gateway.calls(verifyCpf)).toHaveLength(0);
});

test('a picture refused as a duplicate can be chosen again once the other one is removed', async () => {
  const { screen } = await openPage();
  const [front, back] = sides;
  if (front === undefined || back === undefined) throw new Error('no sides');
  const samePicture = await drawPicture(7);
  await choosePicture(screen, front, pictureFile('a.png', samePicture));
  await expect.element(screen.getByRole('img', { name: front })).toBeVisible();
  await choosePicture(screen, back, pictureFile('a.png', samePicture));
  const refusal = screen.getByText('Esta imagem já está em', { exact: false });
  await expect.element(refusal).toBeVisible();
  await screen.getByRole('button', { name: 'Remover frente do documento' }).click();
  await expect.element(refusal).not.toBeInTheDocument();
  await choosePicture(screen, front, pictureFile('a.png', samePicture));
  await expect.element(screen.getByRole('img', { name: front })).toBeVisible();
  await expect.element(refusal).not.toBeInTheDocument();
});

test('a refused picture does not count as a duplicate for another side', async () => {
  const { screen } = await openPage();
  const small = await drawPicture(8, 2000, 299);
  const refusals = () => screen.getByText(errors.PICTURE_TOO_SMALL.message).elements();
  await choosePicture(screen, 'Frente do documento', pictureFile('a.png', small));
  await expect.poll(refusals).toHaveLength(1);
  await choosePicture(screen, 'Verso do documento', pictureFile('b.png', small));
  await expect.poll(refusals).toHaveLength(2);
});

test('keyboard focus stays at the field when a picture is chosen or removed', async () => {
  const { screen } = await openPage();
  const field = screen.getByLabelText('Escolher imagem: Frente do documento');
  await expect.element(field).toBeInTheDocument();
  field.element().focus();
  await choosePicture(screen, 'Frente do documento', pictureFile('a.png', await drawPicture(1)));
  const removal = screen.getByRole('button', { name: 'Remover frente do documento' });
  await expect.element(removal).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveFocus();
});

test('a failure to send is shown, and the pictures stay', async () => {
  gateway.fail(verifyCpf);
  const { screen } = await openPage();
  await chooseAllPictures(screen);
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Erro ao enviar documentos.');
  await expect.element(screen.getByRole('img', { name: 'Selfie com o documento' })).toBeVisible();
  gateway.refuse(verifyCpf, 'PICTURE_NOT_ACCEPTED');
  await screen.getByRole('button', { name: 'Enviar Documentos' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent('Envie só imagens: fotos em JPEG, PNG ou WebP.');
});

test('a rejected account sees the reason and the form, and documents sent meanwhile are shown as pending', async () => {
  gateway.answer(getKyc, { ...kycNone, status: 'rejected', reason: 'A selfie está escura' });
  const { screen } = await openPage();
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

test('an approved account sees that everything is available, and that the first charge needs a key', async () => {
  gateway.answer(profile, { user });
  gateway.answer(apiKeyStatus, { hasKey: false, active: false, key: null, masked: null });
  const { screen } = await openPage({ approved: true });
  await expect.element(screen.getByText('Conta aprovada')).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Chaves de API' }))
    .toHaveAttribute('href', '/api-keys');
  await expect.element(screen.getByRole('button', { name: 'Enviar Documentos' })).not.toBeInTheDocument();
});

test('a company sees the e-mail address for its documents, and closing returns to the start page', async () => {
  gateway.answer(publicSettings, { ...settings, adminEmail: 'contas@loja.test' });
  const { screen } = await openPage({ docType: 'CNPJ' });
  await expect
    .element(screen.getByRole('link', { name: 'contas@loja.test' }))
    .toHaveAttribute('href', 'mailto:contas@loja.test');
  await expect.element(screen.getByRole('link', { name: 'Fechar' })).toHaveAttribute('href', '/');
  await expect.element(screen.getByRole('button', { name: 'Enviar Documentos' })).not.toBeInTheDocument();
});

test('an account with a document of 14 characters is a company, and is told to ask the operator where no e-mail address is set', async () => {
  const { screen } = await openPage();
  queryClient.setQueryData(
    profileQuery.queryKey,
    parseUser({ ...unapprovedUser, document: '12ABC34501DE35' }),
  );
  await expect.element(screen.getByText('Verificação de empresa')).toBeVisible();
  await expect
    .element(screen.getByText('Fale com quem administra este gateway', { exact: false }))
    .toBeVisible();
});

test('a failure to load the status can be retried', async () => {
  gateway.refuse(getKyc, 'UNAVAILABLE');
  const { screen } = await openPage();
  await expect.element(screen.getByText('Não foi possível carregar a verificação')).toBeVisible();
  gateway.answer(getKyc, kycNone);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('button', { name: 'Enviar Documentos' })).toBeVisible();
});
