import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { LoadingVoice } from './loading-voice.tsx';
import { LoadingRegion } from './skeleton.tsx';
import { EmptyState } from './states.tsx';

afterEach(() => vi.useRealTimers());

function Page() {
  const [loading, setLoading] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setLoading(!loading)} />
      {loading && <LoadingRegion>…</LoadingRegion>}
      <LoadingVoice />
    </>
  );
}

async function untilDrawn() {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
}

test('a long load is announced when it starts and when it ends; a short one is not', async () => {
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
      <LoadingVoice />
    </>
  );
}

test('a search without results is announced', async () => {
  const screen = await render(<Search found />);
  const voice = screen.getByRole('status');
  await screen.rerender(<Search found={false} />);
  await expect.element(voice).toHaveTextContent('Nada com esse filtro');
  await screen.rerender(<Search found />);
  await expect.element(voice).toBeEmptyDOMElement();
});
