// The signs that pass by themselves: toasts, and the confirmation of a copied text.

import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { CopyButton } from './copy-button.tsx';
import { Toaster, toast, toastError } from './toast.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Stops the timers and the clock, but not the animation frames in which React renders. */
const freezeTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
/** Waits until React has rendered and the browser has drawn the result. */
async function untilDrawn() {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
}
async function passTime(ms: number) {
  await vi.advanceTimersByTimeAsync(ms);
  await untilDrawn();
}

test.each([
  ['of success', toast],
  ['of failure', toastError],
])('a toast %s is shown for 3 s', async (_, showToast) => {
  await render(<Toaster />);
  freezeTime();
  showToast('Feito');
  await untilDrawn();
  const visibleToasts = () =>
    [...document.querySelectorAll('.toast-card')].filter(
      (card) => card.getAttribute('data-shown') === 'true',
    );
  expect(visibleToasts().map((card) => card.textContent)).toEqual(['Feito']);
  await passTime(2_999);
  expect(visibleToasts()).toHaveLength(1);
  await passTime(1);
  expect(visibleToasts()).toEqual([]);
  await passTime(10_000);
});

test('a copy is confirmed for 2 s', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const screen = await render(<CopyButton text="abc" label="Copiar ID" />);
  const button = screen.getByRole('button').element();
  freezeTime();
  button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await untilDrawn();
  expect(button.textContent).toBe('Copiado');
  await passTime(1_999);
  expect(button.textContent).toBe('Copiado');
  await passTime(1);
  expect(button.textContent).toBe('Copiar ID');
});
