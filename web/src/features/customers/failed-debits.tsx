import type { FailedDebitMails } from '@jangada/contract';
import { SwitchedMail } from './switched-mail.tsx';

type FailedDebitsProps = {
  mails: FailedDebitMails;
  onChange: (fields: Partial<FailedDebitMails>) => void;
};

/** The mails about debits of subscriptions that failed. */
export function FailedDebits({ mails, onChange }: FailedDebitsProps) {
  const { warns, warning_subject, warning_text, ...failed } = mails;
  return (
    <fieldset className="grid gap-5 border-t border-base-300 pt-5">
      <legend className="sr-only">Débitos de assinaturas que falham</legend>
      <SwitchedMail
        label="Enviar um Pix quando o débito falha de vez"
        hint="A clientes com e-mail, de assinaturas feitas para eles: depois da última tentativa, com um código que paga aquela cobrança."
        about="do débito que falhou"
        placeholders="{nome}, {valor}, {assinatura}, {vencimento} e {link}"
        mail={failed}
        onChange={onChange}
      />
      <SwitchedMail
        label="Avisar já na primeira falha"
        hint="Quando o banco ainda vai tentar de novo: diz em que dia, para o cliente deixar saldo. Sem código, para ninguém pagar duas vezes."
        about="da nova tentativa"
        placeholders="{nome}, {valor}, {assinatura}, {vencimento}, {tentativa} e {link}"
        mail={{ active: warns, subject: warning_subject, text: warning_text }}
        onChange={({ active = warns, subject = warning_subject, text = warning_text }) =>
          onChange({ warns: active, warning_subject: subject, warning_text: text })
        }
      />
    </fieldset>
  );
}
