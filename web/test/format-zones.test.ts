import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { describe, expect, it } from 'vitest'
import { formatZones } from '../src/features/parcels/quotes/format-zones.ts'

const show = (language: 'en' | 'cn_zh', zoneNames: PriceBreakdown['zoneNames'], destinationZone = 'SBH') => {
  const price = { zoneNames, originZone: 'KV', destinationZone } as PriceBreakdown
  return formatZones((key, vars) => `${key} ${vars?.origin} ${vars?.destination}`, language, price)
}
const names = { origin: 'Klang Valley', destination: 'Sabah' }

describe('the zones of a price', () => {
  it('have Chinese names on a Chinese page', () => {
    const both = { ...names, originZh: '巴生谷', destinationZh: '沙巴' }
    expect(show('cn_zh', both)).toBe('parcelPage.route 巴生谷 沙巴')
    expect(show('en', both)).toBe('parcelPage.route Klang Valley Sabah')
  })

  it('have English names where a zone has no other, and in prices from before there were Chinese ones', () => {
    expect(show('cn_zh', { ...names, destinationZh: '沙巴' })).toBe('parcelPage.route Klang Valley 沙巴')
    expect(show('cn_zh', names)).toBe('parcelPage.route Klang Valley Sabah')
  })

  it('are one zone if both ends have the same code, and nothing in a price without names', () => {
    expect(show('en', { origin: 'Klang Valley', destination: 'Klang Valley' }, 'KV')).toContain('parcelPage.oneZone')
    expect(show('en', undefined)).toBeUndefined()
  })
})
