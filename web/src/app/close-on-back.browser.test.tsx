import { useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { useSearch } from '../navigation/index.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { Dialog } from '../ui/index.ts';
import { closeOnBack } from './close-on-back.ts';
import { paths } from './paths.ts';

const idFrom = ({ id }: Record<string, unknown>) => ({ id });

/** A screen with a dialog that is open because of the URL, and one that a button opens. */
function ListScreen() {
  const { id } = useSearch(idFrom);
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsAsked(true)}>
        Cancelar
      </button>
      <Dialog open={id !== undefined} onClose={() => {}} title="Transação">
        <button type="button" onClick={() => setIsAsked(true)}>
          Cancelar esta
        </button>
      </Dialog>
      <Dialog open={isAsked} onClose={() => setIsAsked(false)} title="Cancelar a cobrança?">
        Ninguém poderá pagá-la.
      </Dialog>
    </>
  );
}

test('Back closes an open dialog and stays; a dialog of the URL closes because Back leaves that URL', async () => {
  const { screen, router, currentUrl } = await renderScreen(paths.transactions, ListScreen);
  onTestFinished(closeOnBack(router));
  const asked = screen.getByRole('heading', { name: 'Cancelar a cobrança?' });
  const opened = screen.getByRole('heading', { name: 'Transação' });

  await router.navigate({ to: paths.transactions, search: { status: 'paid' } });
  await screen.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(asked).toBeVisible();
  history.back();
  await expect.element(asked).not.toBeInTheDocument();
  expect(currentUrl()).toBe('/transactions?status=paid');

  await router.navigate({ to: paths.transactions, search: { id: 'x' } });
  await screen.getByRole('button', { name: 'Cancelar esta' }).click();
  await expect.element(asked).toBeVisible();
  history.back();
  await expect.element(asked).not.toBeInTheDocument();
  expect(currentUrl()).toBe('/transactions?id=x');
  await expect.element(opened).toBeVisible();
  history.back();
  await expect.element(opened).not.toBeInTheDocument();
  expect(currentUrl()).toBe('/transactions?status=paid');
  history.back();
  await expect.poll(currentUrl).toBe('/transactions');
});
