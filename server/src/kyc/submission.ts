import { type KycSide, type KycState, kycSides, kycStatus } from '@jangada/contract';

/** One submission of a person's identity documents (KYC, know your customer), with the decision about it. */
export type Submission = {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly submitted_at: Date;
  readonly decided_at: Date | null;
};

/**
 * Whether an account belongs to a company. Companies are identified by a CNPJ and send their documents by e-mail. The
 * length is checked too, because the `doc_type` of an old account may be wrong: a CNPJ has 14 characters, a CPF 11.
 */
export function isCompany({ doc_type, document }: { doc_type: string; document: string }): boolean {
  return doc_type === 'CNPJ' || document.length === 14;
}

/** The state of an account's verification: the state of its newest submission. */
export function kycStateOf(newest: Submission | undefined): KycState {
  if (newest === undefined) return { status: 'none', reason: null, submitted_at: null, decided_at: null };
  return {
    status: kycStatus.parse(newest.status),
    reason: newest.reason,
    submitted_at: newest.submitted_at.toISOString(),
    decided_at: newest.decided_at?.toISOString() ?? null,
  };
}

/** Returns the file name under which a picture is stored. File names may contain hyphens, but no underscores. */
export function pictureFileName(submissionId: string, side: KycSide): string {
  return `kyc/${submissionId}/${side.replace('_', '-')}`;
}

export function pictureFileNames(submissionId: string): string[] {
  return kycSides.map((side) => pictureFileName(submissionId, side));
}
