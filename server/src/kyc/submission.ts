import { type KycSide, type KycState, kycSides, kycStatus } from '@jangada/contract';

export type Submission = {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly submitted_at: Date;
  readonly decided_at: Date | null;
};

/**
 * Companies send their documents by e-mail. `doc_type` identifies an alphanumeric CNPJ, the length an old account's.
 */
export function isCompany({ doc_type, document }: { doc_type: string; document: string }): boolean {
  return doc_type === 'CNPJ' || document.length === 14;
}

export function stateOf(newest: Submission | undefined): KycState {
  if (newest === undefined) return { status: 'none', reason: null, submitted_at: null, decided_at: null };
  return {
    status: kycStatus.parse(newest.status),
    reason: newest.reason,
    submitted_at: newest.submitted_at.toISOString(),
    decided_at: newest.decided_at?.toISOString() ?? null,
  };
}

/** The file name of a picture. */
export function fileOf(submissionId: string, side: KycSide): string {
  return `kyc/${submissionId}/${side.replace('_', '-')}`;
}

export function filesOf(submissionId: string): string[] {
  return kycSides.map((side) => fileOf(submissionId, side));
}
