/** Parcels and bags that are probably loaded onto a wrong vehicle, or put into a wrong bag. */
import * as z from 'zod/mini'

/**
 * Why a destination is probably wrong; label `wrongWay.<reason>` in the locale files.
 * - `ends_here`: its way ends at the station from which it would depart
 * - `elsewhere`: its way ends at another station, and the destination does not pass it on
 */
export const wrongWayReasons = ['ends_here', 'elsewhere'] as const

/** A warning that refuses nothing; null: nothing speaks against the destination. */
export const wrongWay = z.nullable(
  z.object({
    reason: z.enum(wrongWayReasons),
    /** The name of the station where its way ends. */
    station: z.string(),
  }),
)
export type WrongWay = NonNullable<z.output<typeof wrongWay>>
