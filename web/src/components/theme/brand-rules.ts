import { constants } from '@waybill/contract/ground/constants'
import { brandShades, mixColours } from '@waybill/contract/ground/look/colour'

/** `--wb-surface` of `tokens.css`, the background of filled buttons. */
const surfaces = { light: '#ffffff', dark: '#1b1e22' } as const

/** The position of each of Mantine's ten shades between white, the colour (shade 6) and black. */
const tints = [0.94, 0.86, 0.7, 0.5, 0.3, 0.12, 0, -0.11, -0.25, -0.4]

/** The rules that replace the brand colours of `tokens.css`; empty for the product's own colour. */
export function brandRules(colour: string): string {
  if (colour === constants.primaryColour) return ''
  const rules = (['light', 'dark'] as const).map((scheme) => {
    const { brand, hover, onBrand } = brandShades(colour, surfaces[scheme])
    const shades = tints.map((tint, n) => {
      const shade = mixColours(brand, tint > 0 ? '#ffffff' : '#000000', Math.abs(tint))
      return `--mantine-color-brand-${n}:${shade}`
    })
    const values = [`--wb-brand:${brand}`, `--wb-brand-hover:${hover}`, `--wb-on-brand:${onBrand}`, ...shades]
    // The root twice: the same specificity as Mantine's rules, which come later.
    const selector = `:root:root${scheme === 'light' ? '' : '[data-mantine-color-scheme="dark"]'}`
    return `${selector}{${values.join(';')}}`
  })
  return rules.join('\n')
}
