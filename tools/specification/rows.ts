import type { FoundTest } from './read-tests.ts';

/** An item of the specification with where it lives and what proves it, and what is wrong with that. */
export type SpecificationRow = {
  readonly id: string;
  readonly says: string;
  readonly places: readonly string[];
  readonly proofs: readonly FoundTest[];
  /** First cell of its row among the departures. */
  readonly departs: string | undefined;
  /** What has to be mended, each with how. */
  readonly problems: readonly string[];
};

export type Chapter = { readonly title: string; readonly rows: readonly SpecificationRow[] };
