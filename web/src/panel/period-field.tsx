import { Calendar } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { dayOf, shiftDay } from '../format/date.ts';
import { Button, buttonClass, classNames, Dialog, TextField } from '../ui/index.ts';
import { type Period, periodInWords } from './period.ts';

export type PeriodPreset = { readonly label: string; readonly period: (today: string) => Period };

/** The preset periods, calculated from today. */
const pastPresets: readonly PeriodPreset[] = [
  { label: 'Hoje', period: (today) => ({ from: today, to: today }) },
  { label: '7 dias', period: (today) => ({ from: shiftDay(today, -6), to: today }) },
  { label: '30 dias', period: (today) => ({ from: shiftDay(today, -29), to: today }) },
  { label: '90 dias', period: (today) => ({ from: shiftDay(today, -89), to: today }) },
  { label: 'Este mês', period: (today) => ({ from: firstOfMonth(today), to: today }) },
  {
    label: 'Mês passado',
    period: (today) => {
      const lastDay = shiftDay(firstOfMonth(today), -1);
      return { from: firstOfMonth(lastDay), to: lastDay };
    },
  },
];

/** The first day of the month of a day `yyyy-MM-dd`. */
export function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}

type PeriodFieldProps = {
  period: Period;
  onPeriod: (period: Period) => void;
  /** The label while no period is chosen. */
  emptyLabel?: string;
  /** The longest period that may be chosen, in days, and the message for a longer one. */
  longest?: { days: number; problem: string };
  /** The preset periods of a list that goes beyond today. Without them, no day after today can be chosen. */
  futurePresets?: readonly PeriodPreset[];
};

/** A button that shows the period that a list covers, and opens a dialog to choose another. */
export function PeriodField({
  period,
  onPeriod,
  emptyLabel = 'Período',
  longest,
  futurePresets,
}: PeriodFieldProps) {
  const [open, setOpen] = useState(false);
  const hasPeriod = period.from !== undefined || period.to !== undefined;
  const choosePeriod = (newPeriod: Period) => {
    setOpen(false);
    onPeriod(newPeriod);
  };
  const periodText = periodInWords(period, emptyLabel);
  return (
    <div className="md:w-44">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={periodText === 'Período' ? periodText : `Período: ${periodText}`}
        className="input field-line w-full justify-start gap-2.5 text-left md:h-9"
        onClick={() => setOpen(true)}
      >
        <Calendar
          // On the narrowest phones the icon is left out, because two dates need its space.
          className={classNames('size-4 shrink-0 text-muted', hasPeriod && 'max-[23rem]:hidden')}
          strokeWidth={1.75}
          aria-hidden="true"
        />
        <span className={classNames('truncate tabular-nums', !hasPeriod && 'text-muted')}>{periodText}</span>
      </button>
      <PeriodDialog
        open={open}
        period={period}
        longest={longest}
        futurePresets={futurePresets}
        onClose={() => setOpen(false)}
        onPeriod={choosePeriod}
      />
    </div>
  );
}

type PeriodDialogProps = {
  open: boolean;
  period: Period;
  longest: PeriodFieldProps['longest'];
  futurePresets: PeriodFieldProps['futurePresets'];
  onClose: () => void;
  onPeriod: (period: Period) => void;
};

function PeriodDialog({ open, period, longest, futurePresets, onClose, onPeriod }: PeriodDialogProps) {
  const form = useId();
  const [error, setError] = useState<string>();
  const today = dayOf(new Date());
  const max = futurePresets === undefined ? today : undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    const from = String(formData.get('from') ?? '');
    const to = String(formData.get('to') ?? '');
    if (from !== '' && to !== '' && from > to) return setError('A data inicial vem depois da final.');
    // A period without an end lasts until today.
    const lastDay = to === '' ? today : to;
    const isTooLong = longest && from !== '' && shiftDay(from, longest.days) <= lastDay;
    if (isTooLong) return setError(longest.problem);
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
        {(futurePresets ?? pastPresets).map((preset) => (
          <button
            key={preset.label}
            type="button"
            className={buttonClass({ size: 'small' })}
            onClick={() => onPeriod(preset.period(today))}
          >
            {preset.label}
          </button>
        ))}
      </div>
      <form id={form} noValidate onSubmit={submit} className="grid grid-cols-2 gap-3">
        <TextField label="De" type="date" name="from" max={max} defaultValue={period.from} error={error} />
        <TextField label="Até" type="date" name="to" max={max} defaultValue={period.to} />
      </form>
    </Dialog>
  );
}
