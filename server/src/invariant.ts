/** A promise of our own that did not hold: a defect, never an answer to a caller. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message);
}
