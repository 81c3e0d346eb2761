export { type Loop, type LoopOptions, repeat } from './repeat.ts';
export { type Job, type Schedule, startSchedule } from './schedule.ts';
