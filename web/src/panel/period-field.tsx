import { Calendar } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { dayOf, shiftDay } from '../format/date.ts';
import { Button, buttonClass, classNames, Dialog, TextField } from '../ui/index.ts';
import { type Period, periodInWords } from './period.ts';

/** Preset periods, calculated from today. */
const spans: readonly { label: string; period: (today: string) => Period }[] = [
  { label: 'Hoje', period: (today) => ({ from: today, to: today }) },
  { label: '7 dias', period: (today) => ({ from: shiftDay(today, -6), to: today }) },
  { label: '30 dias', period: (today) => ({ from: shiftDay(today, -29), to: today }) },
  { label: '90 dias', period: (today) => ({ from: shiftDay(today, -89), to: today }) },
  { label: 'Este mês', period: (today) => ({ from: monthOf(today), to: today }) },
  {
    label: 'Mês passado',
    period: (today) => {
      const last = shiftDay(monthOf(today), -1);
      return { from: monthOf(last), to: last };
    },
  },
];

/** The first day of the given day's month. */
function monthOf(day: string): string {
  return `${day.slice(0, 8)}01`;
}

type PeriodFieldProps = {
  period: Period;
  onPeriod: (period: Period) => void;
  /** The label while no period is chosen. */
  whole?: string;
  /** The longest period in days, and the message for a longer one. */
  longest?: { days: number; problem: string };
};

/** Selects the period that the list covers. */
export function PeriodField({ period, onPeriod, whole = 'Período', longest }: PeriodFieldProps) {
  const [open, setOpen] = useState(false);
  const chosen = period.from !== undefined || period.to !== undefined;
  const choose = (next: Period) => {
    setOpen(false);
    onPeriod(next);
  };
  const words = periodInWords(period, whole);
  return (
    <div className="md:w-44">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={words === 'Período' ? words : `Período: ${words}`}
        className="input field-line w-full justify-start gap-2.5 text-left md:h-9"
        onClick={() => setOpen(true)}
      >
        <Calendar
          // On the narrowest phones two dates need the icon's space.
          className={classNames('size-4 shrink-0 text-muted', chosen && 'max-[23rem]:hidden')}
          strokeWidth={1.75}
          aria-hidden="true"
        />
        <span className={classNames('truncate tabular-nums', !chosen && 'text-muted')}>{words}</span>
      </button>
      <PeriodDialog
        open={open}
        period={period}
        longest={longest}
        onClose={() => setOpen(false)}
        onPeriod={choose}
      />
    </div>
  );
}

type PeriodDialogProps = {
  open: boolean;
  period: Period;
  longest: PeriodFieldProps['longest'];
  onClose: () => void;
  onPeriod: (period: Period) => void;
};

function PeriodDialog({ open, period, longest, onClose, onPeriod }: PeriodDialogProps) {
  const form = useId();
  const [error, setError] = useState<string>();
  const today = dayOf(new Date());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const from = String(data.get('from') ?? '');
    const to = String(data.get('to') ?? '');
    if (from !== '' && to !== '' && from > to) return setError('A data inicial vem depois da final.');
    const last = to === '' ? today : to;
    if (longest && from !== '' && shiftDay(from, longest.days) <= last) return setError(longest.problem);
    setError(undefined);
    onPeriod({ ...(from !== '' && { from }), ...(to !== '' && { to }) });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Período"
      size="small"
      footer={
        <>
          <Button onClick={() => onPeriod({})}>Limpar</Button>
          <Button type="submit" form={form} variant="primary">
            Aplicar
          </Button>
        </>
      }
    >
      <div className="mb-5 flex flex-wrap gap-2">
        {spans.map((span) => (
          <button
            key={span.label}
            type="button"
            className={buttonClass({ size: 'small' })}
            onClick={() => onPeriod(span.period(today))}
          >
            {span.label}
          </button>
        ))}
      </div>
      <form id={form} noValidate onSubmit={submit} className="grid grid-cols-2 gap-3">
        <TextField label="De" type="date" name="from" max={today} defaultValue={period.from} error={error} />
        <TextField label="Até" type="date" name="to" max={today} defaultValue={period.to} />
      </form>
    </Dialog>
  );
}
