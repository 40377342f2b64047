import type { Locale } from '@waybill/contract/ground/enums'
import { formatDate, formatMoney, formatWeight, type PrintSettings } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { formatPhone } from '../../../lib/phone.ts'
import type { CaptionedText } from '../../../lib/print/drawing.ts'

/**
 * What a consignment note says about a parcel. Labels are in the note's language already; money in minor units, weight
 * in grams.
 */
export interface ConsignmentNote {
  trackingNumber: string
  /** The public tracking page of this number: what the QR code opens. */
  trackingUrl: string
  serviceLabel: string
  deliveryMode: { code: 'D2D' | 'D2P' | 'P2D' | 'P2P'; label: string }
  carrierLabel: string
  /** Destination hub and zone, read by sorters from afar: a few characters. */
  routeCode: string
  sender: NoteAddress
  receiver: NoteAddress
  /** Chargeable weight. */
  weightGrams: number
  pieces: number
  contentDescription: string
  /** What the rider collects at the door; null when nothing is due. */
  cod: { amountMinor: number; currency: string } | null
  insuredValueMinor: number | null
  /** Of the insured value. */
  currency: string
  reference: string | null
  remarks: string | null
  /** ISO 8601. */
  createdAt: string
  companyName: string
  /** PNG or JPEG. Give the same array to each note: a document holds each image once. */
  companyLogo?: Uint8Array
  /** The sack that it travels in. */
  gunnyNumber?: string | null
  /** Its number at another carrier, once it is booked there. */
  carrierNumber?: string | null
  /** What customs must know of it, where it leaves the country. */
  customs?: string | null
  /** Where the receiver comes for it (modes ending in P). */
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

/**
 * How a label speaks: its language, the words of the locale files' `note` object, the deployment's units and formats.
 */
export interface NoteLanguage {
  locale: Locale
  t: Translate
  settings: PrintSettings
}

/** A note whose every value is text ready to print, in the language of the label. Empty text: not shown. */
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
  /** Where a self-collected parcel waits; caption and place. */
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
  /** The street, one entry a line. */
  street: string[]
  /** Postcode, city, state, country in one line. */
  place: string
}

/** Puts a note's values into the words, units and formats of the label's language and the deployment's settings. */
export function noteText(note: ConsignmentNote, { locale, t, settings }: NoteLanguage): NoteText {
  const { cod, insuredValueMinor, receiver } = note
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
    receiver: addressText(receiver),
    sender: addressText(note.sender),
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

function addressText({ name, company, phone, line1, line2, postcode, city, state, country }: NoteAddress): AddressText {
  return {
    name,
    company: company ?? '',
    phone: formatPhone(phone),
    street: [line1, line2 ?? ''].filter(Boolean),
    place: [`${postcode} ${city}`, state, country].filter(Boolean).join(', '),
  }
}
