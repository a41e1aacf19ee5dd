// What the rules dialog is to be filled in with when it opens.

let draft = null;

/** Open the rules dialog with a rule begun: any of `kind`, `pattern`, `matchCase`, `wholeWord`, `action`, `category`, `reason`, `scope`. */
export function openRules(desk, begun) {
  draft = begun;
  desk.dialog.value = "rules";
}

/** Take what was begun; it is given once. */
export function takeDraft() {
  const begun = draft;
  draft = null;
  return begun;
}
