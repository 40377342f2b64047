/** The contents of the demo's parcels. */
import type { ContentType } from '@waybill/contract/ground/enums/enums'
import type { ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import type { Dimensions } from '@waybill/contract/ground/measures'
import type { DemoAccountKey } from './logins.ts'
import type { Chance } from './random.ts'

/** The contents of a parcel: weights in grams, lengths in millimetres, value in minor units. */
export type Goods = {
  serviceType: ServiceType
  contentType: ContentType
  description: string
  weightGrams: number
  /** Null for documents. */
  dimensions: Dimensions | null
  valueMinor: number
}

/** [type, description, lightest and heaviest in grams, typical box in cm, lowest and highest value in ringgit] */
type Kind = readonly [
  ContentType,
  string,
  readonly [number, number],
  readonly [number, number, number],
  readonly [number, number],
]

const kinds: Record<DemoAccountKey, readonly Kind[]> = {
  aisyah: [
    ['clothing', 'Baju kurung, 2 pcs', [600, 1400], [32, 24, 6], [120, 260]],
    ['clothing', 'Tudung bawal, 5 pcs', [350, 800], [28, 20, 5], [75, 160]],
    ['clothing', 'Kain songket', [900, 1900], [36, 26, 8], [280, 900]],
    ['gifts', 'Wedding door gifts', [1500, 5200], [40, 30, 25], [90, 400]],
    ['cosmetics', 'Skin care set', [400, 1200], [22, 18, 10], [80, 240]],
    ['food', 'Kuih raya, 3 jars', [1200, 3200], [34, 24, 18], [60, 150]],
  ],
  weiming: [
    ['food', '安溪铁观音茶叶', [500, 2200], [26, 20, 14], [80, 480]],
    ['electronics', '机械键盘 Mechanical keyboard', [900, 1800], [46, 18, 7], [220, 690]],
    ['electronics', '耳机 Headphones', [350, 900], [24, 22, 10], [150, 1100]],
    ['books', '二手书，一箱', [2500, 8500], [38, 30, 24], [50, 180]],
    ['gifts', '新年礼盒', [1300, 3600], [36, 28, 16], [88, 368]],
    ['household', '紫砂壶 Clay teapot', [700, 1600], [22, 18, 16], [160, 1500]],
  ],
  priya: [
    ['books', 'Textbooks', [1200, 5200], [32, 26, 14], [60, 320]],
    ['clothing', 'Saree with blouse', [700, 1500], [34, 26, 6], [180, 850]],
    ['gifts', 'Birthday present', [500, 2600], [28, 24, 18], [50, 300]],
    ['household', 'Brass lamp', [1800, 4200], [30, 22, 22], [140, 520]],
    ['cosmetics', 'Hair oil, 6 bottles', [1400, 2600], [28, 20, 20], [90, 160]],
  ],
  kinabalu: [
    ['food', 'Tenom coffee, 12 packs', [2400, 6800], [40, 30, 22], [120, 360]],
    ['food', 'Sabah tea, 24 boxes', [1800, 5400], [42, 32, 26], [140, 380]],
    ['household', 'Hiking poles', [900, 2200], [68, 14, 12], [160, 520]],
    ['clothing', 'Rain jackets', [800, 3600], [38, 30, 16], [240, 960]],
    ['spare_parts', 'Outboard motor parts', [2600, 14_500], [44, 32, 24], [320, 2400]],
    ['electronics', 'Head torches, carton', [1600, 5800], [36, 28, 20], [260, 1400]],
    ['others', 'Batik samples', [600, 2400], [34, 26, 10], [90, 420]],
    ['household', 'Camping stove', [1900, 4600], [32, 32, 20], [180, 640]],
  ],
}

const papers = ['Contract, signed copies', 'Tender documents', 'Purchase orders', 'Certificates']
const chinesePapers = ['合同签署本', '招标文件', '采购单', '证书']

/**
 * Chooses contents that this account ships. About one in twelve is documents, which have no size, unless it has to be
 * a box.
 */
export function packGoods(account: DemoAccountKey, box: boolean, chance: Chance): Goods {
  if (!box && chance.happens(account === 'kinabalu' ? 0.1 : 0.06)) {
    const description = chance.pick(account === 'weiming' ? chinesePapers : papers)
    const weightGrams = chance.whole(6, 60) * 10
    return {
      serviceType: 'document',
      contentType: 'document',
      description,
      weightGrams,
      dimensions: null,
      valueMinor: 0,
    }
  }
  const [contentType, description, [light, heavy], [length, width, height], [low, high]] = chance.pick(kinds[account])
  const about = (cm: number) => Math.max(10, Math.round(cm * 10 * (0.85 + chance.next() * 0.3)))
  return {
    serviceType: chance.happens(0.16) ? 'semi_express' : 'e_parcel',
    contentType,
    description,
    weightGrams: Math.round((light + (heavy - light) * chance.next() ** 1.4) / 10) * 10,
    dimensions: { lengthMm: about(length), widthMm: about(width), heightMm: about(height) },
    valueMinor: Math.round(low + (high - low) * chance.next()) * 100,
  }
}
