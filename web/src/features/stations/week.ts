import type { Station } from '@waybill/contract/stations/stations'

/** Consecutive days with the same hours. Days count from 0 (Monday); null hours mean closed. */
export type WeekPart = { from: number; to: number; hours: { open: string; close: string } | null }

/** A week in as few lines as possible, such as Monday to Friday, Saturday, Sunday. */
export function weekParts(openingHours: Station['openingHours']): WeekPart[] {
  const parts: WeekPart[] = []
  for (const [day, hours] of openingHours.entries()) {
    const last = parts.at(-1)
    if (last && last.hours?.open === hours?.open && last.hours?.close === hours?.close) last.to = day
    else parts.push({ from: day, to: day, hours })
  }
  return parts
}
