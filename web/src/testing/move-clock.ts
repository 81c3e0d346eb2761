import { movePageClock } from './move-page-clock.ts';

// Loaded into every browser test before the test itself.
movePageClock(Number(import.meta.env['CLOCK_OFFSET_MS']));
