/** A violated internal invariant: a defect, never an expected response to a caller. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new BrokenInvariant(message);
}
