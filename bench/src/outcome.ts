/** `looked`: the run was asked to keep nothing. A bench whose results cannot be kept throws. */
export type BenchOutcome = 'kept' | 'looked';

/** What a small form did, as counts rather than times, so that they are the same on every machine. */
export type Counts = Readonly<Record<string, number>>;
