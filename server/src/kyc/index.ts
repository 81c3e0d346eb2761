export { decideKyc } from './decide-submission.ts';
export { kycLoops } from './jobs.ts';
export { kycRoutes } from './routes.ts';
export { sendDocuments } from './send-documents.ts';
export { voidVerification } from './void-verification.ts';
