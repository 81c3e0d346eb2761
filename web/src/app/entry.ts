/** What a form that leads into the app tells of itself. */
export type EntryFormCallbacks = {
  /** Somebody has begun to fill it in: what comes after may be loaded meanwhile. Told more than once. */
  onBegun: () => void;
  onSignedIn: () => void;
};
