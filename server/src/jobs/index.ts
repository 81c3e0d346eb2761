export type { Loop, LoopOptions } from './repeat.ts';
export { repeat } from './repeat.ts';
export type { Job, Schedule } from './schedule.ts';
export { startSchedule } from './schedule.ts';
