import { type FailedDebitMails, REMINDER_LIMITS } from '@jangada/contract';
import { TextArea, TextField } from '../../ui/index.ts';

type SwitchProps = { label: string; hint: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** A checkbox that turns one kind of mail on. */
export function Switch({ label, hint, isOn, onChange }: SwitchProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3">
      <input
        type="checkbox"
        className="mt-0.5 size-5 shrink-0 cursor-pointer accent-primary"
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="min-w-0">
        <span className="block font-medium">{label}</span>
        <span className="block text-xs text-muted">{hint}</span>
      </span>
    </label>
  );
}

type FailedDebitsProps = {
  mails: FailedDebitMails;
  onChange: (fields: Partial<FailedDebitMails>) => void;
};

/** The mails about debits of subscriptions that failed. The words show once the mail is on. */
export function FailedDebits({ mails, onChange }: FailedDebitsProps) {
  return (
    <fieldset className="grid gap-5 border-t border-base-300 pt-5">
      <legend className="sr-only">Débitos de assinaturas que falham</legend>
      <Switch
        label="Enviar um Pix quando o débito falha de vez"
        hint="A clientes com e-mail, de assinaturas feitas para eles: depois da última tentativa, com um código que paga aquela cobrança."
        isOn={mails.active}
        onChange={(active) => onChange({ active })}
      />
      {mails.active && (
        <Words
          about="do débito que falhou"
          placeholders="{nome}, {valor}, {assinatura}, {vencimento} e {link}"
          subject={mails.subject}
          text={mails.text}
          onSubject={(subject) => onChange({ subject })}
          onText={(text) => onChange({ text })}
        />
      )}
      <Switch
        label="Avisar já na primeira falha"
        hint="Quando o banco ainda vai tentar de novo: diz em que dia, para o cliente deixar saldo. Sem código, para ninguém pagar duas vezes."
        isOn={mails.warns}
        onChange={(warns) => onChange({ warns })}
      />
      {mails.warns && (
        <Words
          about="da nova tentativa"
          placeholders="{nome}, {valor}, {assinatura}, {vencimento}, {tentativa} e {link}"
          subject={mails.warning_subject}
          text={mails.warning_text}
          onSubject={(warning_subject) => onChange({ warning_subject })}
          onText={(warning_text) => onChange({ warning_text })}
        />
      )}
    </fieldset>
  );
}

type WordsProps = {
  about: string;
  placeholders: string;
  subject: string;
  text: string;
  onSubject: (subject: string) => void;
  onText: (text: string) => void;
};

function Words({ about, placeholders, subject, text, onSubject, onText }: WordsProps) {
  return (
    <>
      <TextField
        label={`Assunto ${about}`}
        value={subject}
        maxLength={REMINDER_LIMITS.subjectMaxLength}
        onChange={(event) => onSubject(event.currentTarget.value)}
      />
      <TextArea
        label={`Texto ${about}`}
        hint={`Entram no lugar: ${placeholders}.`}
        value={text}
        maxLength={REMINDER_LIMITS.textMaxLength}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    </>
  );
}
