/** Misroutes: parcels and bags that are probably on the wrong vehicle, or in the wrong bag. */
import * as z from 'zod/mini'

/**
 * Why a destination is probably wrong; label `misroute.<reason>` in the locale files.
 * - `ends_here`: its last station is the one from which it would depart
 * - `elsewhere`: its last station is another one, which the destination does not serve
 */
export const misrouteReasons = ['ends_here', 'elsewhere'] as const

/** A warning that refuses nothing; null: nothing speaks against the destination. */
export const misroute = z.nullable(
  z.object({
    reason: z.enum(misrouteReasons),
    /** The name of its last station. */
    station: z.string(),
  }),
)
export type Misroute = NonNullable<z.output<typeof misroute>>
