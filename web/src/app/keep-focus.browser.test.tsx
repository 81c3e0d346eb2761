import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Dialog } from '../ui/index.ts';
import { keepFocus } from './keep-focus.ts';

let stop: () => void;
beforeEach(() => {
  stop = keepFocus(document.body);
});
afterEach(() => stop());

function Files() {
  const [files, setFiles] = useState(['nota', 'foto']);
  const [saved, setSaved] = useState(false);
  const [opened, setOpened] = useState<string>();
  const remove = (file: string) => setFiles(files.filter((name) => name !== file));
  return (
    <main tabIndex={-1}>
      <ul aria-label="Arquivos">
        {files.map((file) => (
          <li key={file}>
            <button type="button" onClick={() => remove(file)}>
              Remover {file}
            </button>
            <button type="button" onClick={() => setOpened(file)}>
              Abrir {file}
            </button>
          </li>
        ))}
      </ul>
      <section aria-label="Nome">
        <button type="button" disabled={saved} onClick={() => setSaved(true)}>
          Salvar
        </button>
      </section>
      <Dialog open={opened !== undefined} onClose={() => setOpened(undefined)} title="Arquivo">
        <button type="button" onClick={() => setFiles([])}>
          Remover todos
        </button>
        {files.length > 0 && (
          <button type="button" onClick={() => setFiles([])}>
            Remover este
          </button>
        )}
      </Dialog>
    </main>
  );
}

async function press(name: string): Promise<void> {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  button?.focus();
  expect(document.activeElement).toBe(button);
  await userEvent.keyboard('{Enter}');
}

const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

test('focus moves to the list when its focused item is removed, and to the section when its button is disabled', async () => {
  await render(<Files />);
  await press('Remover nota');
  await expect.poll(focused).toBe('Arquivos');
  await userEvent.tab();
  expect(focused()).toBe('Remover foto');
  await press('Salvar');
  await expect.poll(focused).toBe('Nome');
});

test('a dialog keeps the focus while it is open, and then returns it near its opener, even when that was removed', async () => {
  await render(<Files />);
  await press('Abrir nota');
  await press('Remover este');
  await expect.poll(focused).toBe('Arquivo');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.activeElement?.tagName).toBe('MAIN');
});

test('focus on a control that still exists is not moved', async () => {
  const { getByRole } = await render(<Files />);
  await press('Remover nota');
  await expect.poll(focused).toBe('Arquivos');
  getByRole('button', { name: 'Abrir foto' }).element().focus();
  await new Promise(requestAnimationFrame);
  expect(focused()).toBe('Abrir foto');
});
