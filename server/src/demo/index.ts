export { type DemoAccount, seedDemo } from './seed-demo.ts';
