/** Pictures and PDFs that try to crash, slow down or mislead the programs that decode or show them. */
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A hidden payload, which must not be in any stored file. */
export const hiddenScript = '<script>alert("hidden")</script>'

type Family = (variant: number) => Buffer | Promise<Buffer>

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** A 1-bit PNG with additional chunks before its content. */
function png(width: number, height: number, content: Buffer, more: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(1, 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...more,
    pngChunk('IDAT', deflateSync(content)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif', side = 64) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#c83c28' } })
    .toFormat(format)
    .toBuffer()
const formats = ['jpeg', 'png', 'webp', 'gif'] as const
const formatFor = (n: number) => formats[n % formats.length] ?? 'png'

/** Files that are not accepted pictures, though some start like one. */
export const hostilePictures: Record<string, Family> = {
  'a picture that says it is enormous': (n) => png(30_000 + n * 5_000, 30_000, Buffer.alloc(100)),
  'a small file that unpacks to gigabytes': (n) => png(20_000 + n * 1_000, 20_000, Buffer.alloc(20_000 * 2_501)),
  'a picture without its end': async (n) => {
    const whole = await picture(formatFor(n), 256)
    return whole.subarray(0, Math.floor((whole.length * 2) / 3))
  },
  'noise behind the first bytes of a picture': (n) =>
    Buffer.concat([
      [
        Buffer.from('ffd8ffe0', 'hex'),
        Buffer.from('89504e470d0a1a0a', 'hex'),
        Buffer.from('RIFFxxxxWEBPVP8 '),
        Buffer.from('GIF89a'),
      ][n % 4] ?? Buffer.alloc(0),
      Buffer.from(Array.from({ length: 3_000 }, (_, k) => (k * 7919 + n) % 256)),
    ]),
  'a page under the name of a picture': (n) => Buffer.from(`${' '.repeat(n)}<html>${hiddenScript}</html>`),
  'a drawing with a script': (n) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${n}">${hiddenScript}</svg>`),
  'a drawing that loads files': (n) =>
    Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg><text>&f;${n}</text></svg>`,
    ),
  'another kind of picture': (n) =>
    Buffer.concat([
      Buffer.from(
        ['49492a00', '424d', '00000100', '38425053', '0000001c66747970617669660'.slice(0, 24)][n % 5] ?? '',
        'hex',
      ),
      Buffer.alloc(500, n),
    ]),
  'a script that begins like a picture': (n) => Buffer.from(`GIF89a/*${'x'.repeat(n * 50)}*/=1;alert(1)`),
  nothing: () => Buffer.alloc(0),
  'a PDF where only a picture will do': () => Buffer.from('%PDF-1.4\n%%EOF\n'),
}

/** Real pictures with a hidden payload: they are accepted, and the payload is removed. */
export const pictureHideouts: Record<string, Family> = {
  'a page behind the picture': async (n) => Buffer.concat([await picture(formatFor(n)), Buffer.from(hiddenScript)]),
  'a page in a comment': async (n) =>
    png(8, 8, Buffer.alloc(16), [pngChunk('tEXt', Buffer.from(`Comment\0${hiddenScript}${n}`))]),
  'megabytes of compressed comments': (n) =>
    png(8, 8, Buffer.alloc(16), [
      pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(20_000_000 + n, 'x'))])),
    ]),
}

/** Files that are not PDFs, or PDFs that are not accepted. */
export const hostilePdfs: Record<string, Family> = {
  'a PDF without its end': (n) => Buffer.from(`%PDF-1.${n % 8}\n${'1 0 obj<<>>endobj\n'.repeat(500)}`),
  'a page that mentions a PDF': (n) => Buffer.from(`<html>${' '.repeat(n)}%PDF-1.4 ${hiddenScript}%%EOF</html>`),
  'a program': (n) => Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(1000 + n), Buffer.from('%PDF-1.4 %%EOF')]),
  'a PDF of more bytes than are taken': (n) =>
    Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(10_485_760 + n), Buffer.from('%%EOF')]),
}

/** PDFs that would be dangerous if they were opened in our pages: they are stored, and only offered as downloads. */
export const pdfHideouts: Record<string, Family> = {
  'a PDF that is a page too': (n) => Buffer.from(`%PDF-1.4\n${hiddenScript}${n}\n%%EOF\n`),
  'a PDF with a script': (n) =>
    Buffer.from(`%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(${n}))>>>>endobj\n%%EOF\n`),
  'a PDF whose objects inflate to gigabytes': (n) =>
    Buffer.concat([
      Buffer.from('%PDF-1.4\n1 0 obj<</Filter/FlateDecode>>stream\n'),
      deflateSync(Buffer.alloc(20_000_000 + n)),
      Buffer.from('\nendstream\n%%EOF\n'),
    ]),
}
