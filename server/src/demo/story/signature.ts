/** Draws the signatures of the demo's receivers. */
import type { Chance } from './random.ts'

/**
 * A signature as drawn by a finger on a scanner: an SVG path of lines in the 600 x 200 box of a proof. It has the
 * loops of a few letters that lean to the right and get smaller, and a stroke below.
 */
export function drawSignature(chance: Chance): string {
  const letters = chance.whole(4, 7)
  const width = chance.whole(46, 62)
  const startX = (600 - letters * width) / 2
  const middle = chance.whole(95, 115)
  const points: [number, number][] = []
  for (let letter = 0; letter < letters; letter += 1) {
    const height = letter === 0 ? chance.whole(48, 66) : chance.whole(14, 34)
    const loop = chance.happens(0.6) ? 0.55 : 0.1
    for (let part = 0; part < 22; part += 1) {
      const turn = (part / 22) * 2 * Math.PI
      const along = startX + (letter + part / 22) * width + Math.sin(turn * 2) * width * loop * 0.5
      const up = Math.sin(turn) * height + chance.whole(-1, 1)
      points.push([along + up * 0.25, middle - up])
    }
  }
  const pen = path(points)
  if (!chance.happens(0.7)) return pen
  const end = startX + letters * width
  return `${pen} ${path([
    [startX - 20, middle + chance.whole(38, 48)],
    [(startX + end) / 2, middle + chance.whole(32, 42)],
    [end + 30, middle + chance.whole(20, 32)],
  ])}`
}

function path(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
}
