import { errors, register } from '@jangada/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { stubGateway } from '../../testing/stub-gateway.ts';
import { RegisterForm } from './register-form.tsx';

// Where a test stubs no gateway, every call fails without a message of the server.
const renderForm = () =>
  render(<RegisterForm loginPath="/login" onFormStart={() => {}} onSignedIn={() => {}} />);

test('each error is the description of its field, and the first invalid field gets the focus', async () => {
  const screen = await renderForm();
  await screen.getByRole('button', { name: 'Criar conta' }).click();
  const username = screen.getByLabelText('Nome de usuário');
  await expect.element(username).toHaveFocus();
  await expect.element(username).toHaveAccessibleDescription('Nome de usuário é obrigatório');
  await expect.element(username).toHaveAttribute('aria-invalid', 'true');
  await expect
    .element(screen.getByRole('textbox', { name: 'CPF' }))
    .toHaveAccessibleDescription('CPF é obrigatório');
  await expect
    .element(screen.getByLabelText('Confirmar senha', { exact: true }))
    .toHaveAccessibleDescription('Confirme a senha');
});

test('the hints of the fields are shown before any error', async () => {
  const screen = await renderForm();
  await expect
    .element(screen.getByLabelText('Senha', { exact: true }))
    .toHaveAccessibleDescription('Mínimo de 8 caracteres');
  await expect
    .element(screen.getByLabelText('Nome de usuário'))
    .toHaveAccessibleDescription('Letras, números, ponto, hífen ou sublinhado');
});

test('changing the type of document clears the typed document', async () => {
  const screen = await renderForm();
  await screen.getByRole('textbox', { name: 'CPF' }).fill('12345678909');
  await screen.getByText('CNPJ').click();
  await expect.element(screen.getByRole('textbox', { name: 'CNPJ' })).toHaveValue('');
});

async function submitValidForm(screen: Awaited<ReturnType<typeof renderForm>>) {
  await screen.getByLabelText('Nome de usuário').fill('ana');
  await screen.getByLabelText('Nome completo').fill('Ana Lima');
  await screen.getByLabelText('E-mail').fill('ana@loja.test');
  await screen.getByRole('textbox', { name: 'CPF' }).fill('12345678909');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo-da-ana');
  await screen.getByLabelText('Confirmar senha', { exact: true }).fill('segredo-da-ana');
  await screen.getByRole('button', { name: 'Criar conta' }).click();
}

test('a failure opens a dialog, and the form behind it keeps its input', async () => {
  const screen = await renderForm();
  await submitValidForm(screen);
  const dialog = screen.getByRole('alertdialog', { name: 'Erro no Registro' });
  await expect
    .element(dialog.getByText('Ocorreu um erro inesperado. Tente novamente mais tarde.'))
    .toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'Criar conta' })).toHaveFocus();
  await expect.element(screen.getByRole('textbox', { name: 'CPF' })).toHaveValue('123.456.789-09');
  await expect.element(screen.getByLabelText('E-mail')).toHaveValue('ana@loja.test');
});

test('a refused password is reported at its field, without a dialog', async () => {
  const gateway = stubGateway();
  gateway.refuse(register, 'PASSWORD_COMMON');
  const screen = await renderForm();
  await submitValidForm(screen);
  const field = screen.getByLabelText('Senha', { exact: true });
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAccessibleDescription(errors.PASSWORD_COMMON.message);
  await expect.element(screen.getByRole('alertdialog')).not.toBeInTheDocument();
  vi.unstubAllGlobals();
});

test.each([
  ['USERNAME_TAKEN', 'Nome de usuário'],
  ['EMAIL_TAKEN', 'E-mail'],
  ['DOCUMENT_TAKEN', 'CPF'],
] as const)(
  'after %s the field itself is marked, and has the focus once the dialog closes',
  async (code, name) => {
    const gateway = stubGateway();
    gateway.refuse(register, code);
    const screen = await renderForm();
    await submitValidForm(screen);
    await expect.element(screen.getByRole('alertdialog')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    const field = screen.getByRole('textbox', { name });
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveAccessibleDescription(errors[code].message);
    vi.unstubAllGlobals();
  },
);

test('a registration whose response has no token is reported', async () => {
  vi.stubGlobal('fetch', () => Response.json({ user: {} }, { status: 201 }));
  const screen = await renderForm();
  await submitValidForm(screen);
  const dialog = screen.getByRole('alertdialog', { name: 'Erro no Registro' });
  await expect.element(dialog.getByText('Falha ao processar o registro. Dados ausentes.')).toBeVisible();
  vi.unstubAllGlobals();
});

test('a name that is taken after an attempt without a response may belong to the account just opened', async () => {
  const gateway = stubGateway();
  gateway.disconnect(register);
  const screen = await renderForm();
  await submitValidForm(screen);
  const dialog = screen.getByRole('alertdialog', { name: 'Erro no Registro' });
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  gateway.refuse(register, 'USERNAME_TAKEN');
  await screen.getByRole('button', { name: 'Criar conta' }).click();
  const message = `${errors.USERNAME_TAKEN.message} Talvez a conta já tenha sido criada: tente entrar.`;
  await expect.element(dialog.getByText(message)).toBeVisible();
  vi.unstubAllGlobals();
});

test('whoever comes from an invitation registers with its e-mail, which stays as it is', async () => {
  sessionStorage.setItem('invitation', JSON.stringify({ token: 'x', email: 'davi@example.com' }));
  const urlBefore = location.href;
  onTestFinished(() => {
    history.replaceState(null, '', urlBefore);
    sessionStorage.clear();
  });
  const elsewhere = await renderForm();
  await expect.element(elsewhere.getByLabelText('E-mail')).toHaveValue('');
  await elsewhere.unmount();
  history.replaceState(null, '', '/register?from=%2Fconvite');
  const screen = await renderForm();
  await expect.element(screen.getByLabelText('E-mail')).toHaveValue('davi@example.com');
  await expect.element(screen.getByLabelText('E-mail')).toHaveAttribute('readonly');
  await expect.element(screen.getByText('O convite é para este e-mail.')).toBeVisible();
});
