import { sandboxMails } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { MailboxPage } from './mailbox-page.tsx';

const link = 'http://localhost:3000/redefinir-senha?token=abc';
const mail = {
  id: '2',
  to: 'marina@example.com',
  subject: 'Crie outra senha',
  text: `Abra o link:\n${link}.\nEle vale uma vez.`,
  created_at: '2026-11-22T12:00:00.000Z',
};

let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
});
afterEach(() => vi.unstubAllGlobals());

test('each e-mail can be read, with the URLs in its text as links', async () => {
  const older = { ...mail, id: '1', subject: 'Sua senha foi trocada', text: 'Foi você?' };
  gateway.answer(sandboxMails, { mails: [mail, older] });
  const { screen } = await renderScreen('/mailbox', MailboxPage);
  await expect.element(screen.getByRole('link', { name: link })).toHaveAttribute('href', link);
  await screen.getByRole('button', { name: /Sua senha foi trocada/ }).click();
  await expect.element(screen.getByText('Foi você?')).toBeVisible();
});

test('an empty mailbox says what will appear there, and a failed load can be retried', async () => {
  gateway.fail(sandboxMails);
  const { screen } = await renderScreen('/mailbox', MailboxPage);
  await expect.element(screen.getByText('Não foi possível abrir a caixa de e-mails')).toBeVisible();
  gateway.answer(sandboxMails, { mails: [] });
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('Nenhum e-mail ainda')).toBeVisible();
});

test('a failed refresh shows an error, and the loaded data stays', async () => {
  gateway.answer(sandboxMails, { mails: [mail] });
  const { screen } = await renderScreen('/mailbox', MailboxPage);
  await expect.element(screen.getByRole('heading', { name: mail.subject })).toBeVisible();
  gateway.fail(sandboxMails);
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText('Não foi possível atualizar a caixa de e-mails.')).toBeVisible();
  await expect.element(screen.getByRole('heading', { name: mail.subject })).toBeVisible();
});
