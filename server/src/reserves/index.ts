export { giveBackToReserves, takeFromReserves } from './claims-store.ts';
export { findDueReserves, insertReserves, markReservesReleased } from './reserve-store.ts';
