import { hours } from '../../src/lib/clock.ts'
import type { TestApp } from './app.ts'

/** How far the clocks of the deployment are ahead of UTC. */
const ahead = hours(8)

/**
 * Moves the clock to noon of the 5th of the next month: exactly one month ends, whatever the date is. After that, 32
 * days end exactly one more.
 */
export function moveToNextMonth({ clock }: TestApp): void {
  const now = clock.now().getTime()
  const local = new Date(now + ahead)
  clock.advance(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 5, 12) - ahead - now)
}

/** Moves the clock to noon of the next day, so that midnight does not pass in the middle of a test. */
export function moveToNextDay({ clock }: TestApp): void {
  const now = clock.now().getTime()
  const local = new Date(now + ahead)
  clock.advance(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + 1, 12) - ahead - now)
}
