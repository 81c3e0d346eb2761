import type { Deps } from '../deps.ts';
import { removePictures } from './remove-pictures.ts';

/** Work of verification that is done again and again. `work` answers how much it did; above 0 there may be more at once. */
export const kycLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [{ name: 'kyc-pictures', everyMs: 10 * 60_000, work: removePictures }];
