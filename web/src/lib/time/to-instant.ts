/**
 * The instant of a wall-clock time, with seconds or without: `('2026-11-24', '09:00', 'Asia/Kuala_Lumpur')`.
 */
export function toInstant(day: string, time: string, timeZone: string): Date {
  const utc = Date.parse(`${day}T${time}Z`)
  // Twice: near a daylight saving change the first offset may be that of the other side.
  const first = new Date(utc - offsetMs(new Date(utc), timeZone))
  return new Date(utc - offsetMs(first, timeZone))
}

function offsetMs(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(at.getTime() / 1000) * 1000
}
