import type { ModuleLoop } from '../deps.ts';
import { removePictures } from './view-picture.ts';

export { decideKyc, voidVerification } from './decide-submission.ts';
export { kycRoutes } from './routes.ts';
export { sendDocuments } from './send-documents.ts';

/** Recurring work of verification. */
export const kycLoops: readonly ModuleLoop[] = [
  { name: 'kyc-pictures', everyMs: 10 * 60_000, work: removePictures },
];
