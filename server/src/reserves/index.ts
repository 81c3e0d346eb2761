/** Reserves: the shares of payments that are withheld for some days, and what disputes take from them. */

export { giveBackToReserves, takeFromReserves } from './claims-store.ts';
export { findDueReserves, insertReserves, markReservesReleased, type Reserve } from './reserve-store.ts';
