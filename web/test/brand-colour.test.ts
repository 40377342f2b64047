import { constants } from '@waybill/contract/ground/constants'
import { brandShades, contrastRatio } from '@waybill/contract/ground/look/colour'
import { describe, expect, it } from 'vitest'
import { brandRules } from '../src/components/theme/brand-rules.ts'

const steps = ['00', '33', '66', '99', 'cc', 'ff']
const everyColour = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))

describe('the brand colour', () => {
  it.each(['#ffffff', '#1b1e22'])('has sufficient contrast on %s for every configured colour', (surface) => {
    for (const colour of [...everyColour, '#777777', '#f03e3e', '#fafafa', '#1b1e22']) {
      const { brand, hover, onBrand } = brandShades(colour, surface)
      for (const shade of [brand, hover]) {
        const contrast = [contrastRatio(shade, onBrand) >= 4.5, contrastRatio(shade, surface) >= 3]
        expect([colour, shade, ...contrast]).toEqual([colour, shade, true, true])
      }
    }
  })

  it('is not changed if its contrast is sufficient', () => {
    expect(brandShades('#0050b5', '#ffffff')).toMatchObject({ brand: '#0050b5', onBrand: '#ffffff' })
    // Almost dark enough for white text: it is darkened, because black text on it would look bad.
    const red = brandShades('#f03e3e', '#ffffff')
    expect(red.onBrand).toBe('#ffffff')
    expect(red.brand).not.toBe('#f03e3e')
    expect(brandShades('#ffd166', '#1b1e22')).toMatchObject({ brand: '#ffd166', onBrand: '#000000' })
  })

  it('replaces the default colours in light and dark, unless it is the default', () => {
    expect(brandRules(constants.primaryColour)).toBe('')
    const rules = brandRules('#ffd166').split('\n')
    expect(rules).toHaveLength(2)
    expect(rules[1]).toContain('[data-mantine-color-scheme="dark"]{--wb-brand:#ffd166;')
    expect(rules[0]).not.toContain('--wb-brand:#ffd166;')
  })
})
