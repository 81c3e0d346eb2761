import { REMINDER_LIMITS } from '@jangada/contract';
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

type Mail = { readonly active: boolean; readonly subject: string; readonly text: string };
type SwitchedMailProps = {
  label: string;
  hint: string;
  /** The name of the mail as it follows “Assunto” and “Texto”. */
  about: string;
  placeholders: string;
  mail: Mail;
  onChange: (fields: Partial<Mail>) => void;
};

/** One kind of mail: its checkbox, and its words once it is on. */
export function SwitchedMail({ label, hint, about, placeholders, mail, onChange }: SwitchedMailProps) {
  return (
    <>
      <Switch label={label} hint={hint} isOn={mail.active} onChange={(active) => onChange({ active })} />
      {mail.active && (
        <>
          <TextField
            label={`Assunto ${about}`}
            value={mail.subject}
            maxLength={REMINDER_LIMITS.subjectMaxLength}
            onChange={(event) => onChange({ subject: event.currentTarget.value })}
          />
          <TextArea
            label={`Texto ${about}`}
            hint={`Entram no lugar: ${placeholders}.`}
            value={mail.text}
            maxLength={REMINDER_LIMITS.textMaxLength}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
