import type { KycSide } from '@jangada/contract';

/** What each picture of a verification is called. */
export const kycSideNames: Record<KycSide, string> = {
  document_front: 'Frente do documento',
  document_back: 'Verso do documento',
  selfie: 'Selfie com o documento',
};
