/** The banners of the demo. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { BannerKind, ContentFormat } from '@waybill/contract/ground/enums/enums'

type Text = Record<Locale, string>

/** Pictures contain no text, so that one works for both languages; they are in `web/public/banners/`. */
export type DemoBanner = {
  kind: BannerKind
  format: ContentFormat
  title: Text
  body: Text | null
  imageUrl: string | null
  linkUrl: string | null
  /** Days from the demo's start to the banner's first and last day; absent: always shown. */
  period?: readonly [from: number, to: number]
}

/** In the order in which they are shown. */
export const demoBanners: readonly DemoBanner[] = [
  {
    kind: 'promotion',
    format: 'image',
    title: { en: 'To Sabah and Sarawak from RM 14.50', cn_zh: '寄往沙巴和砂拉越，RM 14.50 起' },
    body: { en: 'By air, in five days, with tracking to the door.', cn_zh: '空运直达，五日送到，全程可追踪。' },
    imageUrl: '/banners/borneo.svg',
    linkUrl: '/public/prices',
  },
  {
    kind: 'festival',
    format: 'image',
    title: { en: 'Festive season: send early', cn_zh: '佳节将至，趁早寄件' },
    body: {
      en: 'Riders rest on public holidays. Expected days already allow for them.',
      cn_zh: '公共假期不派送，预计送达日已将假期计算在内。',
    },
    imageUrl: '/banners/festive.svg',
    linkUrl: '/public/stations',
  },
  {
    kind: 'product',
    format: 'text',
    title: { en: 'Documents up to 2 kg', cn_zh: '文件快递，2 公斤以内' },
    body: { en: 'Contracts and certificates from RM 5.00 within a zone.', cn_zh: '合同、证书，同区仅需 RM 5.00 起。' },
    imageUrl: null,
    linkUrl: '/public/prices',
  },
  {
    kind: 'newsletter',
    format: 'text',
    title: { en: 'Partner points open until ten at night', cn_zh: '合作网点营业至晚上十点' },
    body: {
      en: 'Drop off and collect on the way home in Puchong, Bangsar, Penampang and more.',
      cn_zh: '蒲种、孟沙、兵南邦等地，下班顺路即可寄件取件。',
    },
    imageUrl: null,
    linkUrl: '/public/stations',
  },
  {
    kind: 'event',
    format: 'image',
    title: { en: 'Shipping for small businesses: free workshop', cn_zh: '中小商家发货工作坊，免费参加' },
    body: {
      en: 'Every last Saturday of the month at our Shah Alam service centre.',
      cn_zh: '每月最后一个星期六，莎阿南服务中心。',
    },
    imageUrl: '/banners/workshop.svg',
    linkUrl: null,
  },
  {
    kind: 'festival',
    format: 'image',
    title: { en: 'Year-end: last day before the holidays', cn_zh: '年终寄件：节前最后收件日' },
    body: {
      en: 'Parcels handed in by the last working day arrive before the new year.',
      cn_zh: '节前最后工作日交寄，新年前送达。',
    },
    imageUrl: '/banners/festive.svg',
    linkUrl: '/public/stations',
    period: [6, 20],
  },
  {
    kind: 'promotion',
    format: 'text',
    title: { en: 'Ten per cent off documents', cn_zh: '文件快递九折' },
    body: null,
    imageUrl: null,
    linkUrl: '/public/prices',
    period: [-40, -12],
  },
]
