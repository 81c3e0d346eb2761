import { expect, test } from 'vitest';
import {
  dayOf,
  formatChartDay,
  formatCountdown,
  formatDate,
  formatDateAtTime,
  formatDateTime,
  formatDayHeading,
  formatDayInWords,
  formatDayMonth,
  formatDays,
  formatDuration,
  formatRelative,
  formatTime,
  formatTimeLeft,
  formatWeekday,
  fromDateTimeInput,
  shiftDay,
  toDateTimeInput,
} from './date.ts';

test('a moment is written in the time of São Paulo, whatever the time zone of the browser', () => {
  expect(formatDateTime('2026-11-21T17:32:00Z')).toBe('21/11/2026 14:32');
  expect(formatDateTime('2026-11-22T02:59:59Z')).toBe('21/11/2026 23:59');
  expect(formatDateTime('2026-11-22T03:00:00Z')).toBe('22/11/2026 00:00');
  expect(formatDate('2026-11-22T02:59:59Z')).toBe('21/11/2026');
  expect(formatTime('2026-11-21T17:32:00Z')).toBe('14:32');
  expect(formatDateAtTime('2026-11-21T17:36:00Z')).toBe('21/11/2026 às 14:36');
});

test('a time field shows and reads the time of São Paulo, whatever the time zone of the browser', () => {
  expect(toDateTimeInput('2026-11-22T02:59:59Z')).toBe('2026-11-21T23:59');
  expect(fromDateTimeInput('2026-11-21T23:59')).toBe('2026-11-22T02:59:00.000Z');
  expect(fromDateTimeInput('')).toBeNull();
});

test('a missing moment is N/A and an invalid one is Data inválida', () => {
  expect(formatDateTime(null)).toBe('N/A');
  expect(formatDateTime(undefined)).toBe('N/A');
  expect(formatDateTime('')).toBe('N/A');
  expect(formatDateTime('amanhã')).toBe('Data inválida');
  expect(formatDate('amanhã')).toBe('Data inválida');
});

test('a day begins at midnight in São Paulo', () => {
  expect(dayOf(new Date('2026-11-22T02:59:59Z'))).toBe('2026-11-21');
  expect(dayOf(new Date('2026-11-22T03:00:00Z'))).toBe('2026-11-22');
});

test('calendar days are shifted and written without a time zone', () => {
  expect(shiftDay('2026-03-01', -1)).toBe('2026-02-28');
  expect(shiftDay('2026-12-31', 1)).toBe('2027-01-01');
  expect(formatDayMonth('2026-11-10')).toBe('10/11');
  expect(formatWeekday('2026-11-10')).toBe('ter 10/11');
  expect(formatDayInWords(new Date('2026-11-21T17:32:00Z'))).toBe('sábado, 21 de novembro');
});

test('the heading of a day names the year when it is not the current one', () => {
  const now = new Date('2026-11-21T17:32:00Z');
  expect(formatDayHeading('2026-11-20', now)).toBe('sexta-feira, 20 de novembro');
  expect(formatDayHeading('2025-12-31', now)).toBe('quarta-feira, 31 de dezembro de 2025');
});

test('a distance in time is written in its largest unit', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  expect(formatRelative('2026-11-21T11:59:30Z', now)).toBe('agora');
  expect(formatRelative('2026-11-21T11:55:00Z', now)).toBe('há 5 minutos');
  expect(formatRelative('2026-11-21T09:10:00Z', now)).toBe('há 2 horas');
  expect(formatRelative('2026-11-20T11:00:00Z', now)).toBe('ontem');
  expect(formatRelative(null, now)).toBe('');
  expect(formatRelative('amanhã', now)).toBe('');
});

test('a countdown stops at zero and shows hours only when there are any', () => {
  expect(formatCountdown(1721)).toBe('28:41');
  expect(formatCountdown(59.9)).toBe('00:59');
  expect(formatCountdown(86_399)).toBe('23:59:59');
  expect(formatCountdown(-3)).toBe('00:00');
});

test('a duration is written in its two largest units', () => {
  expect(formatDuration(252)).toBe('4\u00a0min 12\u00a0s');
  expect(formatDuration(240)).toBe('4\u00a0min');
  expect(formatDuration(3_900)).toBe('1\u00a0h 5\u00a0min');
  expect(formatDuration(183_600)).toBe('2\u00a0d 3\u00a0h');
  expect(formatDuration(0)).toBe('0\u00a0s');
});

test('the time left is written in the largest unit of which at least two are left, and is null once it has passed', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(formatTimeLeft('2026-11-23T12:00:00Z', now)).toBe('faltam 2 dias');
  expect(formatTimeLeft('2026-11-23T11:59:59Z', now)).toBe('faltam 47 horas');
  expect(formatTimeLeft('2026-11-21T13:30:00Z', now)).toBe('faltam 90 minutos');
  expect(formatTimeLeft('2026-11-21T12:01:10Z', now)).toBe('falta 1 minuto');
  expect(formatTimeLeft('2026-11-21T12:00:10Z', now)).toBe('falta menos de 1 minuto');
  expect(formatTimeLeft('2026-11-21T12:00:00Z', now)).toBeNull();
  expect(formatTimeLeft('amanhã', now)).toBeNull();
});

test('one day is written in the singular, and the last day of a chart is written as today', () => {
  expect([1, 30].map(formatDays)).toEqual(['1 dia', '30 dias']);
  const days = [{ day: '2026-11-09' }, { day: '2026-11-10' }];
  expect(days.map((_, index) => formatChartDay(days, index))).toEqual(['09/11', 'hoje']);
});
