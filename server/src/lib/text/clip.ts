// Texts of others, cut to a length that our tables accept.

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

/**
 * The first `length` UTF-16 units of a text, or one fewer if the cut would split a character in two: PostgreSQL's JSON
 * refuses half a character.
 */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length)
}

/** The name of an upload as it is stored: without control characters, at most 200 units; null if nothing is left. */
export const storedFileName = (name: string): string | null => clip(name.replace(/\p{Cc}/gu, ''), 200) || null
