import type { ModuleLoop } from '../deps.ts';
import { removeExpiredPictures } from './remove-expired-pictures.ts';

export { decideKyc, voidVerification } from './decide-submission.ts';
export { kycRoutes } from './routes.ts';
export { sendDocuments } from './send-documents.ts';

/** Background loops of identity verification (KYC, know your customer). */
export const kycLoops: readonly ModuleLoop[] = [
  { name: 'kyc-pictures', everyMs: 10 * 60_000, work: removeExpiredPictures },
];
