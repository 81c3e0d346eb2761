import { errors, type KycStatus } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { kycQuery } from '../api/queries.ts';
import { type DrawingName, EmptyState } from '../ui/index.ts';

const words: Record<KycStatus, { title: string; sentence: string }> = {
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
/** While nobody knows yet whether documents were sent. */
const unknown = { title: 'Conta não aprovada', sentence: 'Este recurso abre quando a conta for aprovada.' };

/** In the place of what only an approved account can do: what is missing. The way there stands in the banner above. */
export function NotApproved({ drawing }: { drawing: DrawingName }) {
  const { data } = useQuery(kycQuery);
  const { title, sentence } = data === undefined ? unknown : words[data.status];
  return (
    <EmptyState drawing={drawing} title={title}>
      {sentence}
    </EmptyState>
  );
}
