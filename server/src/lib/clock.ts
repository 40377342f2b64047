/** The current time, passed as an argument so that a test can let fifteen minutes pass. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that follows another one. Otherwise different machines would disagree about the order of events. */
export type SteeredClock = Clock & {
  /**
   * Sets the clock. `reference` was read at some time between the local times `from` and `to`. Returns the difference
   * in milliseconds.
   */
  steer(reference: Date, from: number, to: number): number
}

/** Smaller differences are ignored: they are within the accuracy of the measurement. */
const toleranceMs = 1_000

export function steeredClock(local: () => number = Date.now): SteeredClock {
  let ahead = 0
  return {
    now: () => new Date(local() + ahead),
    steer(reference, from, to) {
      const difference = Math.round(reference.getTime() - (from + to) / 2)
      ahead = Math.abs(difference) > Math.max(toleranceMs, to - from) ? difference : 0
      return ahead
    },
  }
}

/** `date` plus a number of milliseconds. */
export function later(date: Date, milliseconds: number): Date {
  return new Date(date.getTime() + milliseconds)
}

export const seconds = (n: number) => n * 1_000
export const minutes = (n: number) => n * 60_000
export const hours = (n: number) => n * 3_600_000
export const days = (n: number) => n * 86_400_000

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Formatters are cached, because building one costs a hundred times more than using it. */
function getFormatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${options.timeZone} ${options.hour ?? 'day'}`
  let formatter = formatters.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(locale, options)
    formatters.set(key, formatter)
  }
  return formatter
}

/** The calendar day of an instant in a time zone, `YYYY-MM-DD`. */
export function dayIn(date: Date, timeZone: string): string {
  return getFormatter('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(date)
}

/** The time of day in a time zone, `HH:mm`. */
export function timeIn(date: Date, timeZone: string): string {
  return getFormatter('en-GB', { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' }).format(date)
}

let lastMinute = { minute: Number.NaN, timeZone: '', day: '', time: '' }

/** `dayIn` and `timeIn`, computed once a minute: formatting both takes longer than pricing an offer. */
export function minuteIn(date: Date, timeZone: string): { day: string; time: string } {
  // All current time zones differ from UTC by whole minutes.
  const minute = Math.floor(date.getTime() / 60_000)
  if (minute !== lastMinute.minute || timeZone !== lastMinute.timeZone) {
    lastMinute = { minute, timeZone, day: dayIn(date, timeZone), time: timeIn(date, timeZone) }
  }
  return lastMinute
}
