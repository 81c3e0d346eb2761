import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { LoadingVoice } from './loading-voice.tsx';
import { LoadingRegion } from './skeleton.tsx';

afterEach(() => vi.useRealTimers());

async function drawn() {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
}

function Page({ loading }: { loading: boolean }) {
  return (
    <>
      {loading && <LoadingRegion>…</LoadingRegion>}
      <LoadingVoice />
    </>
  );
}

test('what takes long is told while it loads and once it has; what goes by is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const screen = await render(<Page loading />);
  const told = () => screen.getByRole('status').element().textContent;
  await vi.advanceTimersByTimeAsync(499);
  await screen.rerender(<Page loading={false} />);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told()).toBe('');
  await screen.rerender(<Page loading />);
  await vi.advanceTimersByTimeAsync(500);
  await drawn();
  expect(told()).toBe('Carregando');
  await screen.rerender(<Page loading={false} />);
  await drawn();
  expect(told()).toBe('Carregado');
});
