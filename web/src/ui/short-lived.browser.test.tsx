import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { CopyButton } from './copy-button.tsx';
import { Toaster, toast, toastError } from './toast.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const still = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });

test.each([
  ['tells of what happened', toast],
  ['tells of a failure', toastError],
])('a toast that %s stands for 3 s', async (_, show) => {
  still();
  const screen = await render(<Toaster />);
  show('Foi assim.');
  const shown = () => screen.getByText('Foi assim.').element().getAttribute('data-shown');
  await vi.waitFor(() => expect(shown()).toBe('true'));
  await vi.advanceTimersByTimeAsync(2990);
  expect(shown()).toBe('true');
  await vi.advanceTimersByTimeAsync(20);
  await vi.waitFor(() => expect(shown()).toBe('false'));
  await vi.advanceTimersByTimeAsync(2000);
});

test('that something was copied is confirmed for 2 s', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const screen = await render(<CopyButton text="abc" label="Copiar código" />);
  still();
  const button = screen.container.querySelector('button');
  button?.click();
  await vi.waitFor(() => expect(screen.container.textContent).toContain('Copiado'));
  await vi.advanceTimersByTimeAsync(1990);
  expect(screen.container.textContent).toContain('Copiado');
  await vi.advanceTimersByTimeAsync(20);
  await vi.waitFor(() => expect(screen.container.textContent).not.toContain('Copiado'));
});
