import type { Station } from '@waybill/contract/stations/stations'

/** Days in a row with the same hours; days count from 0, Monday. Null hours: closed. */
export type WeekPart = { from: number; to: number; hours: { open: string; close: string } | null }

/** A week in as few lines as it takes: Monday to Friday, Saturday, Sunday, say. */
export function weekParts(openingHours: Station['openingHours']): WeekPart[] {
  const parts: WeekPart[] = []
  for (const [day, hours] of openingHours.entries()) {
    const last = parts.at(-1)
    if (last && last.hours?.open === hours?.open && last.hours?.close === hours?.close) last.to = day
    else parts.push({ from: day, to: day, hours })
  }
  return parts
}
