import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Dialog } from './dialog.tsx';
import { Toaster, toast } from './toast.tsx';
import '../theme/theme.css';

/** A page with a dialog, which contains a field and a button that shows a toast. */
function Page({ locked = false, autofocus = false }: { locked?: boolean; autofocus?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Abrir
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Transação" locked={locked}>
        <input aria-label="Motivo" data-autofocus={autofocus || undefined} />
        <button type="button" onClick={() => toast('Copiado')}>
          Copiar
        </button>
      </Dialog>
      <Toaster />
    </>
  );
}

test('focus goes to the title, Esc closes, and focus returns to where it was', async () => {
  const screen = await render(<Page />);
  const opener = screen.getByRole('button', { name: 'Abrir' });
  await opener.click();
  await expect.element(screen.getByRole('heading', { name: 'Transação' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('focus goes to the element with data-autofocus', async () => {
  const screen = await render(<Page autofocus />);
  await screen.getByRole('button', { name: 'Abrir' }).click();
  await expect.element(screen.getByLabelText('Motivo')).toHaveFocus();
});

test('the second press of the double click that opened a dialog is ignored unless it hits a control, and a later double click selects text', async () => {
  const screen = await render(<Page autofocus />);
  await screen.getByRole('button', { name: 'Abrir' }).click();
  /** Presses the element. Returns whether the browser may do what it does at a press: move the focus, select text. */
  const press = (target: Element, detail = 2) =>
    target.dispatchEvent(new MouseEvent('mousedown', { detail, bubbles: true, cancelable: true }));
  const title = screen.getByRole('heading', { name: 'Transação' }).element();
  const field = screen.getByLabelText('Motivo');
  expect([press(title), press(field.element()), press(title, 1)]).toEqual([false, true, true]);
  press(screen.getByRole('dialog').element());
  await expect.element(field).toHaveFocus();
  await expect.poll(() => press(title)).toBe(true);
});

test('Tab stays inside the dialog', async () => {
  const screen = await render(<Page />);
  await screen.getByRole('button', { name: 'Abrir' }).click();
  const dialog = screen.getByRole('dialog').element();
  for (let presses = 0; presses < 6; presses += 1) {
    await userEvent.tab();
    expect(document.activeElement === document.body || dialog.contains(document.activeElement)).toBe(true);
  }
});

/** A dialog that shows a skeleton until the event `loaded`, and then another dialog with the content. */
function DialogThatLoads() {
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const load = () => setLoaded(true);
    window.addEventListener('loaded', load);
    return () => window.removeEventListener('loaded', load);
  }, []);
  const close = () => {};
  if (!loaded)
    return (
      <Dialog key="loading" open onClose={close} title="Usuário">
        Carregando
      </Dialog>
    );
  return (
    <Dialog key="loaded" open onClose={close} title="Usuário">
      <input aria-label="Nome" />
    </Dialog>
  );
}

test('focus on the close button stays there when loaded content replaces the skeleton, and Tab goes on to the content', async () => {
  const screen = await render(<DialogThatLoads />);
  await expect.element(screen.getByRole('heading', { name: 'Usuário' })).toHaveFocus();
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'Fechar' })).toHaveFocus();
  window.dispatchEvent(new Event('loaded'));
  await expect.element(screen.getByLabelText('Nome')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Fechar' })).toHaveFocus();
  await userEvent.tab();
  await expect.element(screen.getByLabelText('Nome')).toHaveFocus();
});

test('a press on the backdrop closes the dialog, and a press inside does not', async () => {
  const screen = await render(<Page />);
  await screen.getByRole('button', { name: 'Abrir' }).click();
  await screen.getByRole('heading', { name: 'Transação' }).click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  await screen.getByRole('dialog').click({ position: { x: 5, y: 5 } });
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
});

test('a locked dialog cannot be closed', async () => {
  const screen = await render(<Page locked />);
  await screen.getByRole('button', { name: 'Abrir' }).click();
  await userEvent.keyboard('{Escape}{Escape}');
  await expect.element(screen.getByRole('dialog')).toBeVisible();
});

test('the toasts are shown again above a dialog that opens, and a toast that is added later is visible there', async () => {
  const screen = await render(<Page />);
  const shown: string[] = [];
  document.querySelector('.toaster')?.addEventListener('beforetoggle', (event) => {
    if (event instanceof ToggleEvent && document.querySelector(':modal')) shown.push(event.newState);
  });
  await screen.getByRole('button', { name: 'Abrir' }).click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  await screen.getByRole('button', { name: 'Copiar' }).click();
  await expect.element(screen.getByText('Copiado')).toBeVisible();
  expect(shown.slice(-2)).toEqual(['closed', 'open']);
});

test('a toast that is visible when a dialog opens is shown again above it', async () => {
  const screen = await render(<Page />);
  toast('Recebido');
  await expect.element(screen.getByText('Recebido')).toBeVisible();
  const shown: string[] = [];
  document.querySelector('.toaster')?.addEventListener('beforetoggle', (event) => {
    if (event instanceof ToggleEvent && document.querySelector(':modal')) shown.push(event.newState);
  });
  await screen.getByRole('button', { name: 'Abrir' }).click();
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  expect(shown.slice(-2)).toEqual(['closed', 'open']);
});

/** A dialog from which another dialog can be opened on top. */
function NestedDialogs() {
  const [open, setOpen] = useState({ outer: false, inner: false });
  return (
    <>
      <button type="button" onClick={() => setOpen({ outer: true, inner: false })}>
        Abrir
      </button>
      <Dialog open={open.outer} onClose={() => setOpen({ outer: false, inner: false })} title="Fora">
        <button type="button" onClick={() => setOpen({ outer: true, inner: true })}>
          Ampliar
        </button>
        <Dialog open={open.inner} onClose={() => setOpen({ outer: true, inner: false })} title="Dentro">
          <p>Dentro de outro.</p>
        </Dialog>
      </Dialog>
    </>
  );
}

test('Esc in a nested dialog closes only the inner one', async () => {
  const screen = await render(<NestedDialogs />);
  await screen.getByRole('button', { name: 'Abrir' }).click();
  await screen.getByRole('button', { name: 'Ampliar' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Dentro' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog', { name: 'Dentro' })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('dialog', { name: 'Fora' })).toBeVisible();
});
