import type { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { Link, usePathname } from '../../navigation/index.ts';
import { Button, buttonClass, Dialog, Notice } from '../../ui/index.ts';
import { paths } from '../paths.ts';

type ApprovalSentDialogProps = { refusal: ApiError; onClose: () => void };

/** Says that an act waits for the approval of others, and leads to the request. */
export function ApprovalSentDialog({ refusal, onClose }: ApprovalSentDialogProps) {
  const isOperators = usePathname().startsWith('/admin');
  const id = refusal.details['approval_id'];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pedido enviado a quem aprova"
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Fechar</Button>
          <Link
            to={isOperators ? paths.adminApprovals : paths.approvals}
            search={typeof id === 'string' ? { id } : {}}
            className={buttonClass({ variant: 'primary' })}
            data-autofocus
            onClick={onClose}
          >
            Ver o pedido
          </Link>
        </>
      }
    >
      <Notice tone="info" announced>
        {errorText(refusal, 'Isto precisa da aprovação de outra pessoa.')}
      </Notice>
      <p className="mt-4 text-muted">
        Nada foi feito ainda. Avisamos você quando o pedido for aprovado ou recusado.
      </p>
    </Dialog>
  );
}
