/** What a run was asked, kept for the view that asks it again: it is taken once, and a reload has none. */
let draft = null;

/** Leave a text for a view, with what has to be said about it. */
export const leaveDraft = (view, text, note) => (draft = { view, text, note });

/** Take what was left for a view; null if there is nothing. */
export function takeDraft(view) {
  if (draft?.view !== view) return null;
  const taken = draft;
  draft = null;
  return taken;
}
