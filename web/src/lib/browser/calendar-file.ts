/** Calendar files (iCalendar, RFC 5545) that phones and desktops open in their calendar. */

export type CalendarEvent = {
  /** The same event always has the same id, so that a second import replaces the first. */
  uid: string
  title: string
  place: string
  description: string
  start: Date
  end: Date
}

const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '')
const escapeText = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** Lines have at most 75 bytes; longer ones continue after a space. Folds between characters, never within one. */
function fold(line: string): string {
  const encoder = new TextEncoder()
  let bytes = 0
  let result = ''
  for (const character of line) {
    const length = encoder.encode(character).length
    if (bytes + length > 75) {
      result += '\r\n '
      bytes = 1
    }
    result += character
    bytes += length
  }
  return result
}

/** The text of an .ics file with one event. `now`: when the file is made. */
export function createCalendarFile(event: CalendarEvent, now: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Waybill//Portal//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `DTSTAMP:${stamp(now)}`,
    `DTSTART:${stamp(event.start)}`,
    `DTEND:${stamp(event.end)}`,
    `SUMMARY:${escapeText(event.title)}`,
    `LOCATION:${escapeText(event.place)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(event.title)}`,
    'TRIGGER:-PT1H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}
