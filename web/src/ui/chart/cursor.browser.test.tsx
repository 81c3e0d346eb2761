import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { ChartCursor } from './cursor.tsx';

test('a chart reserves its space until its width is known, and is drawn then', async () => {
  let measured = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        measured = tell;
      }
      observe() {}
      disconnect() {}
    },
  );
  const screen = await render(
    <ChartCursor
      count={1}
      active={null}
      onActive={() => {}}
      label="Recebido"
      valueText="hoje"
      nearest={() => 0}
      height={100}
      place={<p>Lugar</p>}
    >
      {(width) => <p>{width} px</p>}
    </ChartCursor>,
  );
  await expect.element(screen.getByText('Lugar')).toBeVisible();
  measured();
  await expect.element(screen.getByText(/^\d+ px$/)).toBeVisible();
  await expect.element(screen.getByText('Lugar')).not.toBeInTheDocument();
  vi.unstubAllGlobals();
});
