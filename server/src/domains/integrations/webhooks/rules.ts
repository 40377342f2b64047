/** Back-off and limits of deliveries. Pure. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The maximum number of attempts of one delivery, over about two days. */
export const maxAttempts = 12

/** The pause after this many attempts of one delivery: 30 s, 2 min, 8 min, 32 min, about 2 h, then 6 h. */
export function deliveryPauseMs(attempts: number): number {
  return Math.min(6 * hour, 30 * second * 4 ** Math.max(0, attempts - 1))
}

/** The pause of a receiver after this many failures in a row, of any deliveries: 10 s up to 1 h. */
export function receiverPauseMs(failures: number): number {
  return Math.min(hour, 10 * second * 2 ** Math.max(0, failures - 1))
}

/** How often it is checked whether a blocked account with waiting deliveries is open again. */
export const blockedPauseMs = 15 * minute

/** A webhook that has failed for this many days is switched off. */
export const failingDays = 3

/** How long the log keeps deliveries. */
export const logDays = 30

/** How long the previous secret signs after a rotation. */
export const rotationHours = 24

/** A run of the job ends after this many deliveries or this much time, so that other webhooks get their turn. */
export const runLimit = { deliveries: 25, ms: 10 * second }

/** Only a success status counts: redirects are not followed. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300
