/** Days and nights of withdrawals are those of Brasília. */
const zone = 'America/Sao_Paulo';

const partsFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

type Parts = { year: number; month: number; day: number; hour: number; minute: number };

function partsOf(at: Date): Parts {
  const found = new Map(partsFormat.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => found.get(name) ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  };
}

/** The moment at which it is `hour` o'clock, so many days after the day of `at`. */
function momentAt(at: Date, days: number, hour: number): Date {
  const { year, month, day } = partsOf(at);
  const wanted = Date.UTC(year, month - 1, day + days, hour);
  // Twice, should the clocks be put forward or back in between.
  let found = new Date(wanted);
  for (let round = 0; round < 2; round += 1) {
    const shown = partsOf(found);
    const off = wanted - Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute);
    found = new Date(found.getTime() + off);
  }
  return found;
}

export type Window = { readonly from: Date; readonly until: Date };

/** The calendar day of `at`. */
export function dayOf(at: Date): Window {
  return { from: momentAt(at, 0, 0), until: momentAt(at, 1, 0) };
}

const nightBegins = 20;
const nightEnds = 6;

/** The night that `at` lies in, 20:00 to 06:00; undefined by day. */
export function nightOf(at: Date): Window | undefined {
  const { hour } = partsOf(at);
  if (hour >= nightBegins) return { from: momentAt(at, 0, nightBegins), until: momentAt(at, 1, nightEnds) };
  if (hour < nightEnds) return { from: momentAt(at, -1, nightBegins), until: momentAt(at, 0, nightEnds) };
  return undefined;
}

/** As a sentence names a moment: `22/11/2026 às 15:04`. */
export function tellMoment(at: Date): string {
  const { year, month, day, hour, minute } = partsOf(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(day)}/${two(month)}/${year} às ${two(hour)}:${two(minute)}`;
}
