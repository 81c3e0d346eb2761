/**
 * Does what lays the page out at once, such as a focus or a scroll, after the page has been laid out and painted. In the task
 * that draws a screen it would make that half as long again. Answers how to leave it undone.
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
