import { hydrateRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { prerender, prerenderedForms } from '../prerender.tsx';
import { PrerenderedPage } from './prerendered-page.tsx';

type PublicPageName = keyof typeof prerenderedForms;

const nothing = () => {};
let cleanUp = nothing;
afterEach(() => cleanUp());

/** Puts the prerendered page into the document, without hydrating it. */
function showPrerendered(name: PublicPageName): HTMLElement {
  const container = document.createElement('div');
  container.innerHTML = prerender(name);
  document.body.append(container);
  cleanUp = () => container.remove();
  return container;
}

/** Hydrates as the entry script does, and returns the errors that React reports or repairs. */
function hydrate(container: HTMLElement, name: PublicPageName): unknown[] {
  const reactErrors: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((...messages) => reactErrors.push(messages));
  const Page = prerenderedForms[name];
  const root = hydrateRoot(
    container,
    <PrerenderedPage>
      <Page onFormStart={nothing} onSignedIn={nothing} />
    </PrerenderedPage>,
    {
      onRecoverableError: (error) => reactErrors.push(error),
      onUncaughtError: (error) => reactErrors.push(error),
    },
  );
  cleanUp = () => {
    root.unmount();
    container.remove();
    vi.restoreAllMocks();
  };
  return reactErrors;
}

/** Waits until the page is hydrated, that is, until a control reacts. */
async function untilHydrated() {
  await expect
    .poll(async () => {
      await page
        .getByRole('button', { name: /(Mostrar|Esconder) senha/ })
        .first()
        .click();
      return page.getByRole('button', { name: 'Esconder senha' }).elements().length;
    })
    .toBeGreaterThan(0);
}

test.each<PublicPageName>(['login', 'register'])(
  'the prerendered %s is hydrated without a difference',
  async (name) => {
    const container = showPrerendered(name);
    const first = container.querySelector('input');
    const reactErrors = hydrate(container, name);
    await untilHydrated();
    expect(reactErrors).toEqual([]);
    expect(container.querySelector('input')).toBe(first);
  },
);

test('prerendered markup has neither inline script nor inline style', () => {
  for (const name of ['login', 'register'] as const) {
    expect(prerender(name)).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
  }
});

test('text typed before hydration stays in the sign-in form', async () => {
  const container = showPrerendered('login');
  await page.getByLabelText('Usuário').fill('marina.albuquerque');
  await page.getByLabelText('Senha', { exact: true }).fill('segredo');
  await page.getByLabelText('Usuário').click();
  await userEvent.keyboard('{End}');
  hydrate(container, 'login');
  await untilHydrated();
  await expect.element(page.getByLabelText('Usuário')).toHaveValue('marina.albuquerque');
  await expect.element(page.getByLabelText('Senha', { exact: true })).toHaveValue('segredo');
});

test('text typed before hydration stays in the registration form, and the document gets its mask', async () => {
  const container = showPrerendered('register');
  await page.getByLabelText('Nome completo').fill('Marina Albuquerque');
  await page.getByLabelText('CPF', { exact: true }).last().fill('12345678909');
  hydrate(container, 'register');
  await untilHydrated();
  await expect.element(page.getByLabelText('Nome completo')).toHaveValue('Marina Albuquerque');
  await expect.element(page.getByLabelText('CPF', { exact: true }).last()).toHaveValue('123.456.789-09');
});

test('a document type chosen before hydration stays chosen', async () => {
  const container = showPrerendered('register');
  await page.getByText('CNPJ').click();
  hydrate(container, 'register');
  await untilHydrated();
  await expect.element(page.getByRole('radio', { name: 'CNPJ' })).toBeChecked();
  await expect.element(page.getByRole('textbox', { name: 'CNPJ' })).toBeVisible();
});
