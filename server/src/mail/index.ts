import type { ModuleJob, ModuleLoop } from '../deps.ts';
import { pruneMails, sendMails } from './send-mails.ts';

/*
 * E-mails: written in the transaction that causes them (`writeMail`) and sent by a loop after its commit; and the
 * single-use links that some of them carry.
 */
export { verifyLinkToken } from './link.ts';
export {
  cancelMailLinks,
  consumeMailLink,
  createMailLink,
  findMailLink,
  findPendingEmail,
} from './link-store.ts';
export { isMailEnabled } from './mail.ts';
export { mailRoutes } from './mailbox-routes.ts';
export { type NewMail, writeMail } from './write-mail.ts';

export const mailLoops: readonly ModuleLoop[] = [{ name: 'mails', everyMs: 1000, work: sendMails }];

export const mailJobs: readonly ModuleJob[] = [
  { name: 'forget-mails', cron: '23 * * * *', work: pruneMails },
];
