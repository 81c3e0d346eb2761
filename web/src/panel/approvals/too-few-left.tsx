import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../ui/index.ts';
import { approvalPolicyQuery } from './approvals-queries.ts';

/** Warns before somebody goes without whom what one of the others asks for could not be approved any more. */
export function TooFewLeft({ without }: { without: string }) {
  const { data } = useQuery(approvalPolicyQuery('account'));
  if (!data?.policy.enabled) return null;
  const counted = data.approvers.filter(({ status }) => status === 'approves');
  const left = counted.filter(({ id }) => id !== without).length;
  if (left === counted.length || left > data.policy.approvals) return null;
  const people =
    left === 0 ? 'Ninguém mais aprova' : left === 1 ? 'Só 1 pessoa aprova' : `Só ${left} pessoas aprovam`;
  return (
    <Notice tone="error" title="Faltariam pessoas que aprovem.">
      {people} depois disto, e nem saques acima do limite nem a própria política poderiam mais ser aprovados.
      Antes, inclua outra pessoa entre quem aprova ou desligue a política.
    </Notice>
  );
}
