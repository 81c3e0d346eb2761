export { servePrinted } from './serve-printed.ts';
