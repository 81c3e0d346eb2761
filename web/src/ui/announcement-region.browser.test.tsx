import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { AnnouncementRegion } from './announcement-region.tsx';
import { LoadingRegion } from './skeleton.tsx';
import { EmptyState } from './states.tsx';

afterEach(() => vi.useRealTimers());

/** A page with a part that is loading after every second press of the button, and the live region. */
function Page() {
  const [loading, setLoading] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setLoading(!loading)} />
      {loading && <LoadingRegion>…</LoadingRegion>}
      <AnnouncementRegion />
    </>
  );
}

/** Waits until React has rendered and the browser has drawn the result. */
async function untilDrawn() {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
}

test('a load is announced after half a second and when it ends, and a shorter load is not announced', async () => {
  const screen = await render(<Page />);
  const button = screen.getByRole('button').element();
  const voice = screen.getByRole('status').element();
  // Stops the timers, but not the animation frames in which React renders.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const toggle = async () => {
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await untilDrawn();
  };
  const passTime = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await untilDrawn();
  };
  await toggle();
  await passTime(499);
  await toggle();
  await passTime(1000);
  expect(voice.textContent).toBe('');
  await toggle();
  await passTime(500);
  expect(voice.textContent).toBe('Carregando');
  await toggle();
  expect(voice.textContent).toBe('Carregado');
});

function Search({ found }: { found: boolean }) {
  return (
    <>
      {!found && <EmptyState drawing="no-result" title="Nada com esse filtro" />}
      <AnnouncementRegion />
    </>
  );
}

test('a search without results is announced, until it has results', async () => {
  const screen = await render(<Search found />);
  const voice = screen.getByRole('status');
  await screen.rerender(<Search found={false} />);
  await expect.element(voice).toHaveTextContent('Nada com esse filtro');
  await screen.rerender(<Search found />);
  await expect.element(voice).toBeEmptyDOMElement();
});
