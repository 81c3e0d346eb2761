// Runs in the measured page before its own scripts, and records long tasks and frames and the time of the last work.
globalThis.observedTasks = [];
globalThis.observedFrames = [];

{
  const { observedTasks, observedFrames } = globalThis;
  let workedMs = 0;
  let underWay = 0;

  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });

  observe('longtask', ({ startTime, duration }) => {
    observedTasks.push(duration);
    workedMs = Math.max(workedMs, startTime + duration);
  });
  observe('long-animation-frame', (frame) => observedFrames.push(frame));
  observe('resource', ({ responseEnd }) => {
    workedMs = Math.max(workedMs, responseEnd);
  });

  // The body is read after the response starts, in a separate task.
  const { fetch } = globalThis;
  globalThis.fetch = async (...call) => {
    underWay += 1;
    try {
      return await fetch(...call);
    } finally {
      underWay -= 1;
      workedMs = performance.now();
    }
  };

  globalThis.quietMs = () => (underWay > 0 ? 0 : performance.now() - workedMs);

  globalThis.worstOf = () => {
    const [frame] = observedFrames.toSorted((a, b) => b.duration - a.duration);
    const scripts = (frame?.scripts ?? []).toSorted((a, b) => b.duration - a.duration).slice(0, 3);
    const blame = scripts.map(({ duration, invoker, sourceURL }) => {
      const file = sourceURL.split('/').at(-1) ?? '';
      return `${Math.round(duration)} ms ${invoker.split('/').at(-1)} ${file}`.trim();
    });
    return { longestMs: Math.max(0, ...observedTasks), blame };
  };
}
