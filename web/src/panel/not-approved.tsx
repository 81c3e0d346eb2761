import { errors, type KycStatus } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { kycQuery } from '../api/queries.ts';
import { isOwnAccount } from '../session/account.ts';
import { useSession } from '../session/session.ts';
import { type DrawingName, EmptyState } from '../ui/index.ts';

type Explanation = { title: string; sentence: string };

/** By the status of the identity verification (KYC). An account may be verified and still not be approved. */
const explanations: Record<KycStatus, Explanation> = {
  none: { title: 'Falta verificar sua identidade', sentence: errors.ACCOUNT_NOT_APPROVED.message },
  pending: {
    title: 'Conta em verificação',
    sentence: 'Seus documentos estão em análise. Este recurso abre quando a conta for aprovada.',
  },
  rejected: {
    title: 'Verificação rejeitada',
    sentence: 'Seus documentos não foram aceitos. Veja o motivo e envie de novo para usar este recurso.',
  },
  approved: {
    title: 'Conta não aprovada',
    sentence: 'Sua identidade foi verificada, mas a conta não está liberada. Fale com o suporte.',
  },
};

/** Used while the status of the verification is unknown. */
const unknownStatusExplanation: Explanation = {
  title: 'Conta não aprovada',
  sentence: 'Este recurso abre quando a conta for aprovada.',
};

/** Support staff need no approval: they only read the merchants' data. */
const supportExplanation: Explanation = {
  title: 'Recurso de lojistas',
  sentence: 'Sua conta é do suporte: não recebe nem saca. Para isso é preciso uma conta de lojista.',
};

/**
 * Shown in place of a feature that needs an approved account. Says what is missing for the approval. The banner at the
 * top of the screen links to the verification.
 */
export function NotApproved({ drawing }: { drawing: DrawingName }) {
  const role = useSession(({ user }) => user?.role);
  const isOwn = useSession(isOwnAccount);
  const { data } = useQuery({ ...kycQuery, enabled: isOwn });
  const merchantExplanation = data === undefined ? unknownStatusExplanation : explanations[data.status];
  const { title, sentence } = role === 'SUPPORT' && isOwn ? supportExplanation : merchantExplanation;
  return (
    <EmptyState drawing={drawing} title={title}>
      {sentence}
    </EmptyState>
  );
}
