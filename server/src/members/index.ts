/*
 * Members: the people who act for an account, each with a role. What a role may do is in the contract (`members.ts`),
 * and `http/authenticate.ts` enforces it for every call.
 */
export { lockMemberDay, type MemberDay, refuseAboveLimit } from './day-limit.ts';
export { memberRoutes } from './routes.ts';
