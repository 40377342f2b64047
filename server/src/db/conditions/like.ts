/** Patterns of LIKE for text that a person typed, in which `%`, `_` and `\` have no special meaning. */

const escapePattern = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** Matches texts that contain this one. */
export const containing = (text: string): string => `%${escapePattern(text)}%`

/** Matches texts that begin with this one. */
export const beginningWith = (text: string): string => `${escapePattern(text)}%`

/** A pattern for each word of a search, in lower case; all must match. */
export const wordPatterns = (search = ''): string[] => search.toLowerCase().split(/\s+/).filter(Boolean).map(containing)
