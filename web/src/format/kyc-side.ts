import type { KycSide } from '@jangada/contract';

/** The display name of each picture that an account sends to verify its identity. */
export const kycSideNames: Record<KycSide, string> = {
  document_front: 'Frente do documento',
  document_back: 'Verso do documento',
  selfie: 'Selfie com o documento',
};
