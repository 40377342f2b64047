import { Button } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { createCalendarFile } from '../../../lib/browser/calendar-file.ts'
import { useAppName } from '../../../lib/browser/title.ts'
import { saveText } from '../../../lib/download.ts'
import { defaultFormatSettings } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { toInstant } from '../../../lib/time/to-instant.ts'

type Props = {
  /** The number of the pickup. */
  number: string
  date: string
  window: string
  place: string
  parcelCount: number
}

/** Saves the pickup window as a calendar file, with a reminder an hour before. */
export function CalendarButton({ number, date, window, place, parcelCount }: Props) {
  const t = useT()
  const { timezone } = useDeployment() ?? defaultFormatSettings
  const name = useAppName()
  function save() {
    const [from = '', until = ''] = window.split('-')
    const file = createCalendarFile(
      {
        uid: `${number}@${location.hostname}`,
        title: t('calendar.title', { name }),
        place,
        description: t('calendar.text', { count: parcelCount, number }),
        start: toInstant(date, from, timezone),
        end: toInstant(date, until, timezone),
      },
      new Date(),
    )
    // Latin letters, as in the names of all other files: some systems cannot store Chinese ones.
    saveText(file, 'text/calendar;charset=utf-8', `pickup-${date}.ics`)
  }
  return (
    <Button leftSection={<IconCalendarPlus size={18} aria-hidden />} onClick={save}>
      {t('calendar.add')}
    </Button>
  )
}
