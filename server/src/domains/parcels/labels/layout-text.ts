// The texts of a consignment note in the language of the label.

import type { Locale } from '@waybill/contract/ground/constants'
import { formatDate, formatMoney, formatWeight, type PrintSettings } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { formatPhone } from '../../../lib/phone.ts'
import type { CaptionedText } from '../../../lib/print/drawing.ts'

/** The contents of a consignment note. Labels are in the note's language; money in minor units, weights in grams. */
export interface ConsignmentNote {
  trackingNumber: string
  /** The public tracking page, which the QR code opens. */
  trackingUrl: string
  serviceLabel: string
  deliveryMode: { code: 'D2D' | 'D2P' | 'P2D' | 'P2P'; label: string }
  carrierLabel: string
  /** Destination station and zone: a few characters that sorters can read from a distance. */
  routeCode: string
  sender: NoteAddress
  receiver: NoteAddress
  /** Chargeable weight. */
  weightGrams: number
  pieces: number
  contentDescription: string
  /** The COD amount; null: none. */
  cod: { amountMinor: number; currency: string } | null
  insuredValueMinor: number | null
  /** The currency of the insured value. */
  currency: string
  reference: string | null
  remarks: string | null
  /** ISO 8601. */
  createdAt: string
  companyName: string
  /** PNG or JPEG. All notes should share one array, so that a document contains the image once. */
  companyLogo?: Uint8Array
  /** The gunny in which the parcel travels. */
  gunnyNumber?: string | null
  /** The number at another carrier. */
  carrierNumber?: string | null
  /** The text for customs on an international parcel. */
  customs?: string | null
  /** The station of self-collection. */
  selfCollectionStation?: { code: string; name: string } | null
}

export interface NoteAddress {
  name: string
  company?: string | null
  /** E.164. */
  phone: string
  line1: string
  line2?: string | null
  postcode: string
  city: string
  state: string
  country: string
}

/** The language, units and formats of a label. Its texts are `note` in the locale files. */
export interface NoteLanguage {
  locale: Locale
  t: Translate
  settings: PrintSettings
}

/** A note with all values formatted as texts; an empty text is not shown. */
export interface NoteText {
  title: string
  createdAt: string
  companyName: string
  companyLogo?: Uint8Array
  routeCaption: string
  routeCode: string
  routePlace: string
  serviceLabel: string
  carrierLabel: string
  carrierNumber: string
  gunny: string
  customs: CaptionedText | null
  modeCode: string
  modeLabel: string
  trackingNumber: string
  trackingUrl: string
  toChip: string
  fromChip: string
  receiver: AddressText
  sender: AddressText
  /** The station of self-collection. */
  collectAt: CaptionedText | null
  cod: { caption: string; amount: string; hint: string } | null
  weight: CaptionedText
  pieces: CaptionedText
  reference: CaptionedText
  content: CaptionedText
  insured: CaptionedText
  remarks: CaptionedText
  signature: string
  scanHint: string
}

export interface AddressText {
  name: string
  company: string
  phone: string
  /** The street, one entry per line. */
  street: string[]
  /** Postcode, city, state in one line; the country only if the parcel crosses a border. */
  place: string
}

/** Formats the values of a note in the language of the label and the formats of the settings. */
export function noteText(note: ConsignmentNote, { locale, t, settings }: NoteLanguage): NoteText {
  const { cod, insuredValueMinor, receiver, sender } = note
  const isDomestic = sender.country === receiver.country
  const station = note.selfCollectionStation
  return {
    title: t('note.title'),
    createdAt: formatDate(note.createdAt, settings.timeZone, settings.dateTimeFormat, locale),
    companyName: note.companyName,
    companyLogo: note.companyLogo,
    routeCaption: t('note.route'),
    routeCode: note.routeCode,
    routePlace: `${receiver.postcode} ${receiver.city}`,
    serviceLabel: note.serviceLabel,
    carrierLabel: note.carrierLabel,
    carrierNumber: note.carrierNumber ?? '',
    gunny: note.gunnyNumber ? `${t('note.gunny')} ${groupTrackingNumber(note.gunnyNumber)}` : '',
    customs: note.customs ? { caption: t('note.international'), value: note.customs } : null,
    modeCode: note.deliveryMode.code,
    modeLabel: note.deliveryMode.label,
    trackingNumber: note.trackingNumber,
    trackingUrl: note.trackingUrl,
    toChip: t('note.to'),
    fromChip: t('note.from'),
    receiver: addressText(receiver, isDomestic),
    sender: addressText(sender, isDomestic),
    collectAt: station ? { caption: t('note.collectAt'), value: `${station.code}  ${station.name}` } : null,
    cod: cod && {
      caption: t('note.cod'),
      amount: formatMoney(cod.amountMinor, cod.currency, locale),
      hint: t('note.codHint'),
    },
    weight: { caption: t('note.weight'), value: formatWeight(note.weightGrams, settings.weightUnit, locale) },
    pieces: { caption: t('note.pieces'), value: String(note.pieces) },
    reference: { caption: t('note.reference'), value: note.reference ?? '' },
    content: { caption: t('note.content'), value: note.contentDescription },
    insured: {
      caption: t('note.insured'),
      value: insuredValueMinor === null ? '' : formatMoney(insuredValueMinor, note.currency, locale),
    },
    remarks: { caption: t('note.remarks'), value: note.remarks ?? '' },
    signature: t('note.signature'),
    scanHint: t('note.scan'),
  }
}

function addressText(address: NoteAddress, isDomestic: boolean): AddressText {
  const { name, company, phone, line1, line2, postcode, city, state, country } = address
  return {
    name,
    company: company ?? '',
    phone: formatPhone(phone),
    street: [line1, line2 ?? ''].filter(Boolean),
    place: [`${postcode} ${city}`, state, isDomestic ? '' : country].filter(Boolean).join(', '),
  }
}
