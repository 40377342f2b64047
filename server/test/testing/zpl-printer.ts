import QRCode from 'qrcode'
import { encodeCode128, encodeGs1128 } from '../../src/lib/print/barcode.ts'
import type { Raster } from './paper.ts'

/**
 * A simulated 203 dpi label printer. It supports only the commands that we send, so any other command fails.
 */

type Field = { x: number; y: number; reverse: boolean }

export function printZpl(zpl: string): Raster[] {
  const labels = zpl.match(/\^XA[\s\S]*?\^XZ/g) ?? []
  return labels.map(printLabel)
}

function printLabel(zpl: string): Raster {
  const width = Number(/\^PW(\d+)/.exec(zpl)?.[1])
  const height = Number(/\^LL(\d+)/.exec(zpl)?.[1])
  const grey = new Uint8Array(width * height).fill(255)
  const dot = (x: number, y: number, field: Field, value = 0) => {
    if (x < 0 || y < 0 || x >= width || y >= height) throw new Error(`a dot off the label: ${x},${y}`)
    const at = y * width + x
    grey[at] = field.reverse ? 255 - (grey[at] as number) : value
  }
  const block = (x: number, y: number, w: number, h: number, field: Field, value = 0) => {
    for (let row = y; row < y + h; row++) for (let column = x; column < x + w; column++) dot(column, row, field, value)
  }
  let field: Field = { x: 0, y: 0, reverse: false }
  let module = 2
  let barHeight = 10
  let code: { kind: 'bars'; height: number } | { kind: 'qr'; size: number } | null = null
  let hexMark = ''
  for (const command of zpl.split('^').slice(1)) {
    const name = command.slice(0, 2)
    const text = command.slice(2).replace(/\n$/, '')
    const figures = text.split(',')
    switch (name) {
      case 'XA':
      case 'XZ':
      case 'CI':
      case 'PW':
      case 'LL':
      case 'LH':
        break
      case 'FO':
        field = { x: Number(figures[0]), y: Number(figures[1]), reverse: false }
        code = null
        hexMark = ''
        break
      case 'FR':
        field.reverse = true
        break
      case 'FH':
        hexMark = text
        break
      case 'FS':
        break
      case 'GB': {
        const [w = 1, h = 1, line = 1] = figures.slice(0, 3).map(Number)
        const value = figures[3] === 'W' ? 255 : 0
        if (line * 2 >= Math.min(w, h)) block(field.x, field.y, w, h, field, value)
        else {
          block(field.x, field.y, w, line, field, value)
          block(field.x, field.y + h - line, w, line, field, value)
          block(field.x, field.y, line, h, field, value)
          block(field.x + w - line, field.y, line, h, field, value)
        }
        break
      }
      case 'GF': {
        const [, total, , bytesPerRow] = figures.map(Number)
        const rows = unpack(figures.slice(4).join(','), bytesPerRow as number)
        if (rows.length !== (total as number) / (bytesPerRow as number))
          throw new Error('a graphic of another size than it says')
        rows.forEach((row, y) => {
          for (const [at, figure] of [...row].entries()) {
            const bits = Number.parseInt(figure, 16)
            for (let bit = 0; bit < 4; bit++) if (bits & (8 >> bit)) dot(field.x + at * 4 + bit, field.y + y, field)
          }
        })
        break
      }
      case 'BY':
        module = Number(figures[0])
        barHeight = Number(figures[2] ?? barHeight)
        break
      case 'BC':
        code = { kind: 'bars', height: Number(figures[1]) }
        break
      case 'BQ':
        code = { kind: 'qr', size: Number(figures[2]) }
        break
      case 'FD': {
        const data = hexMark
          ? text.replace(/\\([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
          : text
        if (code?.kind === 'bars') {
          const { bars } = decodeBars(data)
          for (const bar of bars) block(field.x + bar.x * module, field.y, bar.width * module, code.height, field)
        } else if (code?.kind === 'qr') {
          // Error correction M and automatic input; the field starts lower by the height of ^BY.
          const { size, data: dark } = QRCode.create(data.replace(/^MA,/, ''), { errorCorrectionLevel: 'M' }).modules
          for (let y = 0; y < size; y++)
            for (let x = 0; x < size; x++)
              if (dark[y * size + x])
                block(field.x + x * code.size, field.y + barHeight + y * code.size, code.size, code.size, field)
        } else throw new Error(`text in a printer's own font: ${data}`)
        break
      }
      default:
        throw new Error(`a command that this printer doesn't know: ^${name}`)
    }
  }
  return { width, height, dpi: 203.2, grey }
}

/**
 * Decodes ^BC data with its code set changes. They must give the same length as the encoder's choice, otherwise the
 * bars are wider than the layout expects.
 */
function decodeBars(data: string) {
  let set = 'B'
  let codes = 0
  let value = ''
  let gs1 = false
  let rest = data
  while (rest) {
    const invocation = /^>([:;58])/.exec(rest)?.[1]
    if (invocation) {
      codes++
      if (invocation === ':') set = 'B'
      else if (invocation === '8') gs1 = true
      else set = 'C'
      rest = rest.slice(2)
    } else {
      codes++
      const width = set === 'C' ? 2 : 1
      if (set === 'C' && !/^\d\d/.test(rest)) throw new Error('no pair of figures in set C')
      value += rest.slice(0, width)
      rest = rest.slice(width)
    }
  }
  const symbol = gs1 ? encodeGs1128('00', value.slice(2)) : encodeCode128(value)
  // 11 modules each for start, data, set changes and check digit, and 13 for the stop.
  const modules = (codes + 1) * 11 + 13
  if (modules !== symbol.modules) throw new Error(`${modules} modules, but the layout has ${symbol.modules}`)
  return symbol
}

/** Expands ZPL's compressed hexadecimal to rows of hexadecimal digits. */
function unpack(data: string, bytesPerRow: number): string[] {
  const rows: string[] = []
  let row = ''
  let times = 0
  const end = () => {
    rows.push(row.padEnd(bytesPerRow * 2, '0'))
    row = ''
  }
  for (const char of data) {
    if (char === ':') rows.push(rows.at(-1) ?? '')
    else if (char === ',') end()
    else if (/[G-Y]/.test(char)) times += char.charCodeAt(0) - 'G'.charCodeAt(0) + 1
    else if (/[g-z]/.test(char)) times += (char.charCodeAt(0) - 'g'.charCodeAt(0) + 1) * 20
    else {
      row += char.repeat(times || 1)
      times = 0
      if (row.length > bytesPerRow * 2) throw new Error('a row too long')
      if (row.length === bytesPerRow * 2) end()
    }
  }
  return rows
}
