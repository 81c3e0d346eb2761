/** A bench whose figures cannot be kept throws; 'looked' is what was asked to keep nothing. */
export type BenchOutcome = 'kept' | 'looked';

/** What the small form of a bench did, by number and never by time: the same on every machine. */
export type Counts = Readonly<Record<string, number>>;
