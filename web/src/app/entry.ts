/** The callbacks of a form that leads into the app. */
export type EntryFormCallbacks = {
  /** The user has begun to fill in the form, so the app can be prefetched. May be called more than once. */
  onBegun: () => void;
  onSignedIn: () => void;
};
