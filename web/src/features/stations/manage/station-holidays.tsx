import { listHolidays } from '@waybill/contract/stations/holidays'
import { TextLink } from '../../../components/buttons/link.tsx'
import { LineList } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'

const shownHolidays = 3

/** The next holidays on which a station of this place is closed, with a link to the calendar. */
export function StationHolidays({ country, state }: { country: string; state: string }) {
  const t = useT()
  const format = useFormat()
  const may = useMay('staff.settings')
  const year = Number(format.today().slice(0, 4))
  const calendar = useCall(listHolidays, { query: { year, country } }, { enabled: may })
  if (!may) return null
  const next = (calendar.data?.items ?? [])
    .filter(({ day, states }) => day >= format.today() && (states.length === 0 || states.includes(state)))
    .slice(0, shownHolidays)
  return (
    <Fieldset legend={t('stationsAdmin.holidays')}>
      <Note>{t('stationsAdmin.holidaysHelp')}</Note>
      {next.length > 0 && (
        <LineList>
          {next.map(({ day, name }) => (
            <li key={`${day} ${name}`}>
              {name}
              <Quiet inline>{format.day(day)}</Quiet>
            </li>
          ))}
        </LineList>
      )}
      <div>
        {/* In a new tab, so that the form's input is kept. */}
        <TextLink to="/staff/holidays" search={{ year, country }} target="_blank">
          {t('stationsAdmin.openHolidays')}
        </TextLink>
      </div>
    </Fieldset>
  )
}
