import { createContext } from 'react';

/** Closes the list of notifications, before another screen opens. */
export const LeaveList = createContext(() => {});
