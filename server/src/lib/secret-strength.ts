/** A key of random bytes in hex has about 14 different characters in 32, in base64 about 26. */
const leastDifferentCharacters = 10

/** Words of examples and templates, which no random key contains. */
const placeholderPattern = /change.?me|placeholder|example|password|secret|waybill|default|0123456789|abcdefgh|qwerty/i

/**
 * Why a secret of at least 32 characters is easy to guess, as the end of a sentence; null if it looks random. It finds
 * repeated characters, a repeated piece and placeholders. It does not measure entropy.
 */
export function secretWeakness(secret: string): string | null {
  if (new Set(secret).size < leastDifferentCharacters) return 'has too few different characters'
  if (isRepetition(secret)) return 'repeats one piece'
  return placeholderPattern.test(secret) ? 'contains a common word' : null
}

/** Whether the text is one piece repeated; the last repetition may be truncated. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.startsWith(text.slice(length))) return true
  }
  return false
}
