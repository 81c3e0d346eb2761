import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { ChartCursor } from './cursor.tsx';

test('a chart shows its placeholder until its width is known, and is drawn then', async () => {
  /** Calls the chart as the browser does once the width of the chart is known. */
  let reportWidth = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: () => void) {
        reportWidth = onResize;
      }
      observe() {}
      disconnect() {}
    },
  );
  const screen = await render(
    <ChartCursor
      count={1}
      activeIndex={null}
      onActiveIndex={() => {}}
      label="Recebido"
      valueText="hoje"
      nearest={() => 0}
      height={100}
      placeholder={<p>Lugar</p>}
    >
      {(width) => <p>{width} px</p>}
    </ChartCursor>,
  );
  await expect.element(screen.getByText('Lugar')).toBeVisible();
  reportWidth();
  await expect.element(screen.getByText(/^\d+ px$/)).toBeVisible();
  await expect.element(screen.getByText('Lugar')).not.toBeInTheDocument();
  vi.unstubAllGlobals();
});
