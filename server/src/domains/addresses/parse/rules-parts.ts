/** Splits a pasted text into parts that may belong to an address. */
import {
  companyWords,
  debrisWords,
  labels,
  leadIns,
  phoneLabels,
  remarkStarts,
  remarkWords,
  streetStarts,
  streetWords,
} from './rules-words.ts'

const labelWords = labels.map(([, alternatives]) => alternatives).join('|')
const isLabel = new RegExp(`^(?:${labelWords})$`, 'i')
const urls = /(?:https?:\/\/|www\.|(?:wa\.me|goo\.gl|bit\.ly|maps\.app\.goo\.gl)\/)\S*/gi
/** Headers of exported chats: `[21/11, 4:05 pm] Ali:` and `21/11/2026, 16:05 - Ali:`. */
const chatHeads = new RegExp(
  String.raw`^\s*(?:\[[^\]\n]*\d{1,2}[:.]\d{2}[^\]\n]*\]|` +
    String.raw`\d{1,2}/\d{1,2}/\d{2,4},? \d{1,2}[:.]\d{2}(?: ?[ap]m)? -)[^:\n]{1,40}:`,
  'gim',
)
const pictures = /(?:\p{Extended_Pictographic}|[\u{1f3fb}-\u{1f3ff}]|\ufe0f|\u200d)+/gu
const remarkLabel = /^\s*(?:remarks?|notes?|nota|catatan|备注|留言|附言)\s*[:：]\s*/i
const invisible = /[\u200b-\u200f\u2060\ufeff\u00ad]/g
const thanks = /[\s,.](?:谢谢|感谢|多谢|thanks?(?: you)?|tq|thx|terima kasih)[.!\s]*$/gim
/** Numbers that do not belong to the address: order numbers and amounts of money. */
const otherNumbers = /\b(?:(?:order|inv(?:oice)?|ref)\s*(?:no\.?)?\s*[:#]\s*\S+|(?:cod\s*)?(?:rm|myr)\s?\d[\d,.]*)/gi
const phone = String.raw`\+?\d[\d -]{6,}\d`

/** Removes text that is never part of an address: links, emoji, bold markers, headers of chat messages. */
function clean(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(invisible, '')
      .replace(/[\u00a0\u3000]/g, ' ')
      .replace(chatHeads, '\n')
      .replace(urls, '\n')
      .replace(pictures, '\n')
      .replace(thanks, '\n')
      // Drops "Darul Ehsan" from "Selangor Darul Ehsan", and turns "K.L." into "KL".
      .replace(/\s(?:Darul [A-Z][a-z]+|D\.\s?[A-Z]\.?)(?=[\s,.]|$)/gi, '')
      .replace(/\b([KPJ])\.\s?([LJBK])\.?(?=[\s,]|$)/g, '$1$2')
      .replace(/[*"“”]|(?<!\w)_|_(?!\w)/g, ' ')
  )
}

/**
 * "Ali/012-345 6789/12 Jalan SS2/72": a phone between slashes shows that they separate fields, except in "2/72" and
 * "a/l".
 */
function slashesApart(line: string): string {
  if (!new RegExp(`(?:^|/)\\s*${phone}\\s*(?:/|$)`).test(line)) return line
  return line
    .replace(new RegExp(`(${phone})\\s*/`, 'g'), '$1,')
    .replace(/\/(?=\s*\d{5,})/g, ',')
    .replace(/(?<!\d)\/(?!(?<=\b[asdc]\/)[lpo]\b)|\/(?!\d)/gi, (sign, at: number) =>
      /\b[asdc]$/i.test(line.slice(Math.max(0, at - 2), at)) ? sign : ',',
    )
}

/** Turns separators into commas and line breaks. A slash or dash within a house number stays. */
function separateParts(text: string): string {
  return (
    text
      .replace(/[，、；;|•▪●]/g, ',')
      .replace(/[。！!]/g, '\n')
      .replace(/\t/g, '\n')
      // Treats "Name - Ali" like "Name: Ali".
      .replace(new RegExp(`(^|[\\n,/]\\s*)(${labelWords})\\.?\\s*[-–=]\\s+`, 'gi'), '$1$2: ')
      .replace(/\s\/{1,2}\s|\/\/|\s[-–—]\s/g, ',')
      .replace(/(\d[\d-]{6,}\d)\s*\/\s*(?=\+?\d[\d-]{6,}\d)/g, '$1,')
      .replace(/.+/g, slashesApart)
      .replace(otherNumbers, '\n$&\n')
      // Starts a new line at a label. A Chinese telephone label needs no colon.
      .replace(
        new RegExp(
          `(?<=[\\s,。])(?<!\\b(?:no\\.?|nama|receiver|recipient|customer|delivery|shipping)\\s)` +
            `(?=(?:${labelWords})\\s*[:：])`,
          'gi',
        ),
        '\n',
      )
      // A Chinese label between spaces needs no colon either.
      .replace(
        /(^|[\s,])(收件人|收货人|联系人|姓名|收货地址|收件地址|详细地址|地址|邮政编码|邮编)[ \t]+(?=\S)/gm,
        '$1\n$2:',
      )
      .replace(/(?<=[\s,])(?=(?:联系电话|电话|手机号码|手机)\s*\d)/g, '\n')
      .replace(new RegExp(`(?<=[\\s.,])(?=${remarkStarts.source})`, 'gi'), '\n')
      // "Call first. Ali bin Abu": splits after a sentence.
      .replace(/(?<=[a-z\d]{3}|\b[KPJ][LJB])\.\s+(?=[A-Z][a-z]{2,}\s)/g, '\n')
  )
}

/** Removes the numbers of a list: "1. Ali", "2. 012-…". */
function withoutNumbering(lines: readonly string[]): string[] {
  const numberedCount = lines.filter((line, index) => new RegExp(`^\\s*${index + 1}[.)]\\s`).test(line)).length
  return numberedCount > 1 ? lines.map((line) => line.replace(/^\s*\d[.)]\s+/, '')) : [...lines]
}

/** Separates a name at the beginning of a Chinese line without commas. */
function nameApart(part: string): string[] {
  const [, name, rest] = /^\s*([\u3400-\u9fff·]{2,4})\s+(\S.*)$/.exec(part) ?? []
  return name && rest && !streetWords.test(name) && !isLabel.test(name) ? [name, rest] : [part]
}

/** Separates a name from a street without a comma: "Maju Jaya Sdn Bhd No 12 Jalan …", "Kumar a/l Raju No 3 Jalan …". */
function streetApart(part: string): string[] {
  const at = streetStarts.exec(part)?.index ?? 0
  const who = part.slice(0, at).trim()
  if (who === '' || /[\d:]/.test(who)) return [part]
  const words = who.split(/\s+/).length
  const company = companyWords.test(who)
  if (!company && (words < 2 || words > 6 || streetWords.test(who))) return [part]
  return [who, part.slice(at)]
}

/** Makes brackets at the beginning or the end a separate part, without the bracket signs. */
function bracketsApart(part: string): string[] {
  const match = /^(.*?)[([]([^()[\]]+)[)\]](.*)$/.exec(part.trim())
  if (!match) return [part]
  const [, before = '', inner = '', after = ''] = match
  if (before.trim() !== '' && after.trim() !== '') return [part]
  return [before, inner, after].filter((piece) => piece.trim() !== '')
}

/** Whether a part is a delivery instruction, which belongs to no field of the address. */
export const isRemark = (part: string) => remarkWords.test(part)

/** Cleans the ends of a part after text was removed from it. */
export function trimPart(part: string): string {
  const whole = part
    .replace(/\s+/g, ' ')
    .replace(/\(\s*\)|\[\s*\]/g, ' ')
    .replace(/^[\s.,:#=-]+(?=\D)|[\s,:=-]+$/g, '')
    .trim()
  const opens = (whole.match(/[([]/g) ?? []).length
  const closes = (whole.match(/[)\]]/g) ?? []).length
  if (opens > closes) return whole.replace(/[([]/g, ' ').replace(/\s+/g, ' ').trim()
  if (closes > opens) return whole.replace(/[)\]]/g, ' ').replace(/\s+/g, ' ').trim()
  return whole
}

/** The text on either side of a removed piece, without its label. */
export function splitAround(part: string, match: string): string[] {
  const at = part.indexOf(match)
  const before = part.slice(0, at).replace(phoneLabels, ' ')
  const after = part.slice(at + match.length)
  return [before, after]
}

/** Splits a pasted text into parts, which may belong to an address, and remarks, both in their original order. */
export function splitPastedText(text: string): { parts: string[]; remarks: string[] } {
  const pieces = withoutNumbering(
    separateParts(clean(text))
      .split(/\n/)
      .filter((line) => line.trim() !== ''),
  )
    .flatMap((line) =>
      isRemark(line) && !/\d{5}/.test(line) && remarkLabel.test(line) ? [line] : line.split(/,(?!\d{3}\b)/),
    )
    .flatMap(bracketsApart)
    .map((part) => part.replace(leadIns, ''))
    .flatMap(streetApart)
    .flatMap(nameApart)
    .map(trimPart)
    .filter((part) => part !== '' && !debrisWords.test(part))
  const withoutLabel = (part: string) =>
    part
      .replace(remarkLabel, '')
      .replace(/[.\s]+$/, '')
      .trim()
  return {
    parts: pieces.filter((part) => !isRemark(part)),
    remarks: pieces.filter(isRemark).map(withoutLabel).filter(Boolean),
  }
}
