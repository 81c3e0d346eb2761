export { giveBackToReserves, takeFromReserves } from './claims-store.ts';
export { findDueReserves, insertReserves, markReservesReleased, type Reserve } from './reserve-store.ts';
