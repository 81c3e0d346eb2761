import { movePageClock } from './move-page-clock.ts';

movePageClock(Number(import.meta.env['CLOCK_OFFSET_MS']));
