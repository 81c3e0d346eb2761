/**
 * Runs work that forces a layout, such as focusing or scrolling, after the page has been laid out and painted; inside
 * the rendering task it would make that task half as long again. Returns a function that cancels it.
 */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
