import { hydrateRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { prerender, prerenderedForms } from '../prerender.tsx';
import { PrerenderedPage } from './prerendered-page.tsx';

type PublicPageName = keyof typeof prerenderedForms;

const nothing = () => {};
let cleanUp = nothing;
afterEach(() => cleanUp());

/** The prerendered page in the document, not hydrated yet. */
function arrive(name: PublicPageName): HTMLElement {
  const container = document.createElement('div');
  container.innerHTML = prerender(name);
  document.body.append(container);
  cleanUp = () => container.remove();
  return container;
}

/** Hydrates as the entry does; answers what React had to repair or complain of. */
function hydrate(container: HTMLElement, name: PublicPageName): unknown[] {
  const complaints: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => complaints.push(words));
  const Page = prerenderedForms[name];
  const root = hydrateRoot(
    container,
    <PrerenderedPage>
      <Page onBegun={nothing} onSignedIn={nothing} />
    </PrerenderedPage>,
    {
      onRecoverableError: (error) => complaints.push(error),
      onUncaughtError: (error) => complaints.push(error),
    },
  );
  cleanUp = () => {
    root.unmount();
    container.remove();
    vi.restoreAllMocks();
  };
  return complaints;
}

/** Hydration is over once a control answers. */
async function hydrated() {
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
  'the prerendered %s is hydrated as it stands',
  async (name) => {
    const container = arrive(name);
    const first = container.querySelector('input');
    const complaints = hydrate(container, name);
    await hydrated();
    expect(complaints).toEqual([]);
    expect(container.querySelector('input')).toBe(first);
  },
);

test('prerendered markup has neither inline script nor inline style', () => {
  for (const name of ['login', 'register'] as const) {
    expect(prerender(name)).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
  }
});

test('what was typed before hydration stays, in the sign-in', async () => {
  const container = arrive('login');
  await page.getByLabelText('Usuário').fill('marina.albuquerque');
  await page.getByLabelText('Senha', { exact: true }).fill('segredo');
  await page.getByLabelText('Usuário').click();
  await userEvent.keyboard('{End}');
  hydrate(container, 'login');
  await hydrated();
  await expect.element(page.getByLabelText('Usuário')).toHaveValue('marina.albuquerque');
  await expect.element(page.getByLabelText('Senha', { exact: true })).toHaveValue('segredo');
});

test('what was typed before hydration stays, in the registration, and the document gets its mask', async () => {
  const container = arrive('register');
  await page.getByLabelText('Nome completo').fill('Marina Albuquerque');
  await page.getByLabelText('CPF', { exact: true }).last().fill('12345678909');
  hydrate(container, 'register');
  await hydrated();
  await expect.element(page.getByLabelText('Nome completo')).toHaveValue('Marina Albuquerque');
  await expect.element(page.getByLabelText('CPF', { exact: true }).last()).toHaveValue('123.456.789-09');
});

test('a document type chosen before hydration is the one the form goes on with', async () => {
  const container = arrive('register');
  await page.getByText('CNPJ').click();
  hydrate(container, 'register');
  await hydrated();
  await expect.element(page.getByRole('radio', { name: 'CNPJ' })).toBeChecked();
  await expect.element(page.getByRole('textbox', { name: 'CNPJ' })).toBeVisible();
});
