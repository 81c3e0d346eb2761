import type { Deps } from '../deps.ts';
import { removePictures } from './remove-pictures.ts';

/** Recurring work of verification. `work` returns how many items it processed; above 0, more may be waiting. */
export const kycLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [{ name: 'kyc-pictures', everyMs: 10 * 60_000, work: removePictures }];
