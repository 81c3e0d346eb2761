// Runs in the measured page before its own scripts, and records long tasks and frames and the time of the
// last work.
globalThis.observedTasks = [];
globalThis.observedFrames = [];

{
  const { observedTasks, observedFrames } = globalThis;
  let lastWorkMs = 0;
  let pendingCalls = 0;

  const observe = (type, handleEntry) =>
    new PerformanceObserver((list) => list.getEntries().forEach(handleEntry)).observe({
      type,
      buffered: true,
    });

  observe('longtask', ({ startTime, duration }) => {
    observedTasks.push(duration);
    lastWorkMs = Math.max(lastWorkMs, startTime + duration);
  });
  observe('long-animation-frame', (frame) => observedFrames.push(frame));
  observe('resource', ({ responseEnd }) => {
    lastWorkMs = Math.max(lastWorkMs, responseEnd);
  });

  // Calls are counted here, since their bodies are read after the response starts, in a separate task.
  const { fetch } = globalThis;
  globalThis.fetch = async (...call) => {
    pendingCalls += 1;
    try {
      return await fetch(...call);
    } finally {
      pendingCalls -= 1;
      lastWorkMs = performance.now();
    }
  };

  /** How long the page has been idle. */
  globalThis.quietMs = () => (pendingCalls > 0 ? 0 : performance.now() - lastWorkMs);

  /** The longest task so far, and the three slowest scripts of the longest frame. */
  globalThis.worstChange = () => {
    const [frame] = observedFrames.toSorted((a, b) => b.duration - a.duration);
    const scripts = (frame?.scripts ?? []).toSorted((a, b) => b.duration - a.duration).slice(0, 3);
    const blame = scripts.map(({ duration, invoker, sourceURL }) => {
      const file = sourceURL.split('/').at(-1) ?? '';
      return `${Math.round(duration)} ms ${invoker.split('/').at(-1)} ${file}`.trim();
    });
    return { longestMs: Math.max(0, ...observedTasks), blame };
  };
}
