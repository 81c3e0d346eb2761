import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { CopyButton } from './copy-button.tsx';
import { Toaster, toast, toastError } from './toast.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Time stands from here on; what React has to draw it draws all the same. */
const holdTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
async function drawn() {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
}
async function pass(ms: number) {
  await vi.advanceTimersByTimeAsync(ms);
  await drawn();
}

test.each([
  ['of success', toast],
  ['of failure', toastError],
])('a toast %s stands for 3 s', async (_, say) => {
  await render(<Toaster />);
  holdTime();
  say('Feito');
  await drawn();
  const shown = () =>
    [...document.querySelectorAll('.toast-card')].filter(
      (card) => card.getAttribute('data-shown') === 'true',
    );
  expect(shown().map((card) => card.textContent)).toEqual(['Feito']);
  await pass(2_999);
  expect(shown()).toHaveLength(1);
  await pass(1);
  expect(shown()).toEqual([]);
  await pass(10_000);
});

test('a copy is confirmed for 2 s', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const screen = await render(<CopyButton text="abc" label="Copiar ID" />);
  const button = screen.getByRole('button').element();
  holdTime();
  button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await drawn();
  expect(button.textContent).toBe('Copiado');
  await pass(1_999);
  expect(button.textContent).toBe('Copiado');
  await pass(1);
  expect(button.textContent).toBe('Copiar ID');
});
