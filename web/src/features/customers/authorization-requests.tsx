import type { AuthorizationRequestMails } from '@jangada/contract';
import { SwitchedMail } from './switched-mail.tsx';

type AuthorizationRequestsProps = {
  mails: AuthorizationRequestMails;
  onChange: (fields: Partial<AuthorizationRequestMails>) => void;
};

/** The mails that ask customers to authorise the debits of their subscriptions. */
export function AuthorizationRequests({ mails, onChange }: AuthorizationRequestsProps) {
  return (
    <fieldset className="grid gap-5 border-t border-base-300 pt-5">
      <legend className="sr-only">Pedidos de autorização de assinaturas</legend>
      <SwitchedMail
        label="Pedir a autorização das assinaturas"
        hint="A clientes com e-mail, de assinaturas novas feitas para eles: o link para autorizar, e mais uma vez três dias depois. No máximo um por dia a cada e-mail. As que começam com um pagamento ficam de fora."
        about="do pedido de autorização"
        placeholders="{nome}, {valor}, {assinatura}, {vencimento} (o primeiro possível) e {link} (a página para autorizar)"
        mail={mails}
        onChange={onChange}
      />
    </fieldset>
  );
}
