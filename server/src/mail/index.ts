export { mailJobs, mailLoops } from './jobs.ts';
export { linkIdOf } from './link.ts';
export { cancelLinks, findLink, findPendingEmail, makeLink, takeLink } from './link-store.ts';
export { isMailOn } from './mail.ts';
export { mailRoutes } from './routes.ts';
export { type NewMail, writeMail } from './write-mail.ts';
