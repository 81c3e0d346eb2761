import type { ModuleJob, ModuleLoop } from '../deps.ts';
import { pruneMails, sendMails } from './send-mails.ts';

export { linkIdOf } from './link.ts';
export { cancelLinks, findLink, findPendingEmail, makeLink, takeLink } from './link-store.ts';
export { isMailOn } from './mail.ts';
export { mailRoutes } from './mailbox-routes.ts';
export { type NewMail, writeMail } from './write-mail.ts';

export const mailLoops: readonly ModuleLoop[] = [{ name: 'mails', everyMs: 1000, work: sendMails }];

export const mailJobs: readonly ModuleJob[] = [
  { name: 'forget-mails', cron: '23 * * * *', work: pruneMails },
];
