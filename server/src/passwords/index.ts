export { type Owner, refuseWeakPassword } from './refuse-weak-password.ts';
