/** Contrast of colours (WCAG 2.2), and shades of the deployment's colour that stay readable. Colours are `#rrggbb`. */

/** The minimum contrast of text, and of a control against its background. */
export const textContrast = 4.5
const controlContrast = 3

type Rgb = readonly [red: number, green: number, blue: number]

const toRgb = (colour: string): Rgb => {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}
const toHex = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function luminance(colour: string): number {
  const [red, green, blue] = toRgb(colour).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 (the same) to 21 (black and white). */
export function contrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** White if it is readable on the colour (WCAG AA), else black. */
export function textColourOn(colour: string): '#000000' | '#ffffff' {
  return contrastRatio(colour, '#ffffff') >= textContrast ? '#ffffff' : '#000000'
}

/** A colour with `share` (0 to 1) of another in it. */
export function mixColours(colour: string, other: string, share: number): string {
  const [from, to] = [toRgb(colour), toRgb(other)]
  return toHex([0, 1, 2].map((n) => (from[n] ?? 0) + ((to[n] ?? 0) - (from[n] ?? 0)) * share) as unknown as Rgb)
}

/** The first of increasingly strong mixtures with `other` that fits. */
function mixUntil(colour: string, other: string, fits: (mixture: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixture = mixColours(colour, other, share)
    if (fits(mixture)) return mixture
  }
  return other
}

export type BrandShades = { brand: string; hover: string; onBrand: '#000000' | '#ffffff' }

/**
 * The shades of a filled button on a surface. A colour that is almost dark enough for white text is darkened; a
 * lighter one gets black text. A colour too close to the surface is moved away from it, so that the button can be
 * seen.
 */
export function brandShades(colour: string, surface: string): BrandShades {
  const isSeen = (shade: string) => contrastRatio(shade, surface) >= controlContrast
  const whiteText = contrastRatio(colour, '#ffffff') >= controlContrast
  const carries = (shade: string, text: string) => contrastRatio(shade, text) >= textContrast
  const away = luminance(surface) > 0.5 ? '#000000' : '#ffffff'
  const readable = whiteText ? mixUntil(colour, '#000000', (shade) => carries(shade, '#ffffff')) : colour
  const brand = isSeen(readable) ? readable : mixUntil(readable, away, isSeen)
  const onBrand = textColourOn(brand)
  // On hover the contrast of the text increases, and never decreases.
  const hover = mixColours(brand, onBrand === '#ffffff' ? '#000000' : '#ffffff', 0.12)
  return { brand, hover: isSeen(hover) ? hover : brand, onBrand }
}
