import { Plus } from 'lucide-react';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass } from '../../ui/index.ts';

/** The button *Criar Pagamento*, for whoever may create one. */
export function NewChargeLink() {
  const isApproved = useSession(isAccountApproved);
  const mayCreate = useMay('create-charges');
  if (!isApproved || !mayCreate) return null;
  return (
    <Link to={paths.pixPayment} className={buttonClass({ variant: 'primary' })}>
      <Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
      Criar Pagamento
    </Link>
  );
}
