/** Something that the specification of the product promises, in words of our own. Its literal texts stand in texts.ts. */
export type Item = {
  readonly says: string;
  /** Where it lives: the name of something declared, or the path of a file. */
  readonly at: readonly string[];
  /** Titles of tests that prove it; `part of the path › title` where several have the same. */
  readonly by: readonly string[];
  /** First cell of the row in docs/departures-from-the-specification.md, where we do something else. */
  readonly departs?: string;
};

/** A promise that is kept as it was given. `at`: several places are parted by commas. */
export function kept(says: string, at: string, ...by: string[]): Item {
  return { says, at: at.split(', '), by };
}

/** A promise in whose place we do something else, as the named row of the departures tells. */
export function otherwise(row: string, item: Item): Item {
  return { ...item, departs: row };
}

/** Items by their id. */
export type Items = Readonly<Record<string, Item>>;
