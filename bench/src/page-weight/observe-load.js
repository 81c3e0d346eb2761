// Runs in the measured page before its own scripts, and collects the browser's observations in `pageLoad`.
globalThis.pageLoad = {
  firstPaintMs: undefined,
  largestPaintMs: undefined,
  largestPaint: undefined,
  layoutShift: 0,
  longTasks: [],
  violations: [],
};

{
  const load = globalThis.pageLoad;

  const observe = (type, handleEntry) =>
    new PerformanceObserver((list) => list.getEntries().forEach(handleEntry)).observe({
      type,
      buffered: true,
    });

  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') load.firstPaintMs = startTime;
  });

  observe('largest-contentful-paint', ({ startTime, element }) => {
    load.largestPaintMs = startTime;
    load.largestPaint =
      element && `${element.localName} "${(element.textContent ?? '').trim().slice(0, 40)}"`;
  });

  observe('longtask', ({ startTime, duration }) =>
    load.longTasks.push({ startMs: startTime, durationMs: duration }),
  );

  // CLS, the score for content that moves (web.dev/articles/cls), is the sum of the worst window. A window holds shifts less
  // than 1 s apart, and lasts 5 s at most.
  let shiftWindow = { sum: 0, beganMs: -Infinity, lastMs: -Infinity };
  observe('layout-shift', ({ startTime, value, hadRecentInput }) => {
    if (hadRecentInput) return;
    const continues = startTime - shiftWindow.lastMs < 1000 && startTime - shiftWindow.beganMs < 5000;
    const { sum, beganMs } = continues ? shiftWindow : { sum: 0, beganMs: startTime };
    shiftWindow = { sum: sum + value, beganMs, lastMs: startTime };
    load.layoutShift = Math.max(load.layoutShift, shiftWindow.sum);
  });

  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    load.violations.push([effectiveDirective, blockedURI, sample].filter(Boolean).join(' ')),
  );
}
