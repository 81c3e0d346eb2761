import { Landmark } from 'lucide-react';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { buttonClass, Notice } from '../../ui/index.ts';

/** Leads a merchant who is paid into own accounts, and has none in use, to the screen where one is put to use. */
export function BankNotice() {
  return (
    <Notice
      tone="warning"
      className="mb-5"
      icon={<Landmark className="size-5" strokeWidth={1.75} aria-hidden="true" />}
      title="Nenhuma conta bancária ativa."
      action={
        <Link to={paths.bank} className={buttonClass({ size: 'small' })}>
          Abrir Banco
        </Link>
      }
    >
      Suas vendas entram direto na sua conta bancária: sem uma ativa, nada novo pode ser recebido.
    </Notice>
  );
}
