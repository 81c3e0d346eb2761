import type { ModuleJob } from '../deps.ts';
import { deleteExpiredInvitations } from './invitation-store.ts';

export { parseMemberId } from './change-member.ts';
/*
 * Members: the people who act for an account, each with a role. What a role may do is in the contract (`members.ts`),
 * and `http/authenticate.ts` enforces it for every call.
 */
export { lockMemberDay, type MemberDay, memberLimitText, refuseAboveLimit } from './day-limit.ts';
export { withdrawMoneyInvitations } from './invite-member.ts';
export { lockAsOwner } from './require-owner.ts';
export { memberRoutes } from './routes.ts';
export { findMember, type MemberRow, updateHolder } from './store.ts';
export { tellMembers, tellOwners, tellPerson } from './tell-members.ts';

/** Expired invitations hold the addresses of people who never joined. */
export const memberJobs: readonly ModuleJob[] = [
  {
    name: 'forget-invitations',
    cron: '29 3 * * *',
    work: ({ db, clock }) => deleteExpiredInvitations(db, clock.now()),
  },
];
