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

async function drawn() {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
}

test('what takes long is told while it loads and once it has; what goes by is not', async () => {
  const screen = await render(<Page />);
  const button = screen.getByRole('button').element();
  const voice = screen.getByRole('status').element();
  // Time stands from here on; what React has to draw it draws all the same.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const toggle = async () => {
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await drawn();
  };
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    await drawn();
  };
  await toggle();
  await pass(499);
  await toggle();
  await pass(1000);
  expect(voice.textContent).toBe('');
  await toggle();
  await pass(500);
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

test('a search that finds nothing says so', async () => {
  const screen = await render(<Search found />);
  const voice = screen.getByRole('status');
  await screen.rerender(<Search found={false} />);
  await expect.element(voice).toHaveTextContent('Nada com esse filtro');
  await screen.rerender(<Search found />);
  await expect.element(voice).toBeEmptyDOMElement();
});
