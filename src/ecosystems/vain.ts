// Commands that stand where tests should be run, and run none.

const NOTHING_DONE = /^[@+-]*\s*(?:true|:|exit 0|(?:echo|printf)\b[^`$]*)$/;

/** Only where it is sure: everything in it ends well, whatever the project is like. */
export const isVain = (script: string): boolean => {
  const parts = script
    .split(/&&|;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length > 0 && parts.every((part) => NOTHING_DONE.test(part));
};
