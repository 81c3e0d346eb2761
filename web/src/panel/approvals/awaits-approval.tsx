import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { buttonClass, Notice } from '../../ui/index.ts';

type AwaitsApprovalProps = {
  /** The withdrawal or refund. */
  orderId: string;
  /** The gateway's sentence, which says whose approval it waits for and until when. */
  text: string | null;
  className?: string;
};

/** Says that a withdrawal or refund waits for the approval of other people, and leads to its request. */
export function AwaitsApproval({ orderId, text, className = '' }: AwaitsApprovalProps) {
  return (
    <Notice
      tone="info"
      className={className}
      action={
        <Link to={paths.approvals} search={{ order: orderId }} className={buttonClass({ size: 'small' })}>
          Ver o pedido
        </Link>
      }
    >
      {text ?? 'Espera a aprovação de outra pessoa.'}
    </Notice>
  );
}
