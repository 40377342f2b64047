export type Side = 'sender' | 'receiver'

/** One address of a pasted text. `side`: the meaning of its label ("From:", "收件人："); null without a label. */
export type PastedAddress = { side: Side | null; text: string }

const labelEnd = String.raw`\s*(?:[:：]|$)`
const senderLabel = new RegExp(
  String.raw`^\s*(?:(?:ship )?from|sender|pengirim|dari(?:pada)?|寄件人|发件人)${labelEnd}`,
  'i',
)
const receiverLabel = new RegExp(
  String.raw`^\s*(?:(?:ship |deliver )?to|receiver|recipient|penerima|kepada|收件人|收货人)${labelEnd}`,
  'i',
)
/** Labels that name a side and not a person: the parser does not know them. */
const sideOnly = new RegExp(
  String.raw`^\s*(?:(?:ship |deliver )?(?:from|to)|dari(?:pada)?|kepada|发件人)${labelEnd}\s*`,
  'i',
)

const hasPostcode = (text: string) => /(?<![\d-])\d{5}(?![\d-])/.test(text)
const hasPhone = (text: string) => /\+?\d[\d\s()-]{6,}\d/.test(text.replace(/(?<![\d-])\d{5}(?![\d-])/g, ' '))
const isWhole = (text: string) => hasPostcode(text) && hasPhone(text)

const findSide = (line: string): Side | null =>
  senderLabel.test(line) ? 'sender' : receiverLabel.test(line) ? 'receiver' : null

/**
 * Splits a pasted text into its addresses, each with its own phone number and postcode. Lines of one address stay
 * together. A text that cannot be split is one address.
 */
export function splitAddresses(pasted: string): PastedAddress[] {
  const text = pasted.replace(/\r/g, '').replace(/(?<=\S)[ \t]+(?=(?:寄件人|发件人|收件人|收货人)[:：])/g, '\n')
  const lines = text.split('\n')
  const sides = new Set(lines.map(findSide).filter((side) => side !== null))
  if (sides.size === 2) return splitAtLabels(lines)
  const paragraphs = group(text.split(/\n\s*\n/), '\n\n')
  const texts = paragraphs.length > 1 ? paragraphs : group(lines, '\n')
  const [side = null] = sides
  return texts.map((each) => ({ side: texts.length === 1 ? side : null, text: each.replace(sideOnly, '').trim() }))
}

/** A new address begins at every label of a side. What precedes the first label belongs to it. */
function splitAtLabels(lines: readonly string[]): PastedAddress[] {
  const addresses: PastedAddress[] = []
  let lead = ''
  for (const line of lines) {
    const side = findSide(line)
    const last = addresses.at(-1)
    if (side) {
      addresses.push({ side, text: `${lead}${line.replace(sideOnly, '')}` })
      lead = ''
    } else if (last) last.text += `\n${line}`
    else if (line.trim() !== '') lead += `${line}\n`
  }
  return addresses.map(({ side, text }) => ({ side, text: text.trim() })).filter(({ text }) => text !== '')
}

/** Joins pieces until an address is complete. A new one begins only if the rest is enough for another. */
function group(pieces: readonly string[], joint: string): string[] {
  const groups: string[] = []
  for (const [index, piece] of pieces.entries()) {
    const last = groups.at(-1)
    const begins = last === undefined || (isWhole(last) && isWhole(pieces.slice(index).join(joint)))
    if (begins) groups.push(piece)
    else groups[groups.length - 1] = `${last}${joint}${piece}`
  }
  return groups.filter((each) => each.trim() !== '')
}
