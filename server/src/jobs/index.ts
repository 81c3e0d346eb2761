/*
 * Background work. A loop repeats its work every few seconds or minutes in every process that runs it; a job runs
 * rarely, by a crontab, in only one of all processes.
 */
export { type Loop, type LoopOptions, startLoop } from './loop.ts';
export { type Job, type Schedule, startSchedule } from './schedule.ts';
