import { Calendar } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { dayOf, shiftDay } from '../format/date.ts';
import { Button, buttonClass, classNames, Dialog, TextField } from '../ui/index.ts';
import { type Period, periodInWords } from './period.ts';

const spans = [
  { label: 'Hoje', days: 1 },
  { label: '7 dias', days: 7 },
  { label: '30 dias', days: 30 },
  { label: '90 dias', days: 90 },
];

/** Chooses the days of which the list speaks. */
export function PeriodField({ period, onPeriod }: { period: Period; onPeriod: (period: Period) => void }) {
  const [open, setOpen] = useState(false);
  const chosen = period.from !== undefined || period.to !== undefined;
  const choose = (next: Period) => {
    setOpen(false);
    onPeriod(next);
  };
  return (
    <div className="md:w-44">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={chosen ? `Período: ${periodInWords(period)}` : 'Período'}
        className="input field-line w-full justify-start gap-2.5 text-left md:h-9"
        onClick={() => setOpen(true)}
      >
        <Calendar
          // On the narrowest phones two dates need its place.
          className={classNames('size-4 shrink-0 text-muted', chosen && 'max-[23rem]:hidden')}
          strokeWidth={1.75}
          aria-hidden="true"
        />
        <span className={classNames('tabular-nums', !chosen && 'text-muted')}>{periodInWords(period)}</span>
      </button>
      <PeriodDialog open={open} period={period} onClose={() => setOpen(false)} onPeriod={choose} />
    </div>
  );
}

type PeriodDialogProps = {
  open: boolean;
  period: Period;
  onClose: () => void;
  onPeriod: (period: Period) => void;
};

function PeriodDialog({ open, period, onClose, onPeriod }: PeriodDialogProps) {
  const form = useId();
  const [error, setError] = useState<string>();
  const today = dayOf(new Date());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const from = String(data.get('from') ?? '');
    const to = String(data.get('to') ?? '');
    if (from !== '' && to !== '' && from > to) return setError('A data inicial vem depois da final.');
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
        {spans.map(({ label, days }) => (
          <button
            key={label}
            type="button"
            className={buttonClass({ size: 'small' })}
            onClick={() => onPeriod({ from: shiftDay(today, 1 - days), to: today })}
          >
            {label}
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
