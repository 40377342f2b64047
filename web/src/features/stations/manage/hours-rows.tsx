import { Checkbox } from '@mantine/core'
import { TimeField } from '../../../components/fields/date-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Row, Stack } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import type { StationValues } from './station-values.ts'

/** The first of January 2024 was a Monday. */
const getDay = (weekday: number) => `2024-01-0${weekday + 1}`
const usualHours = { open: '09:00', close: '18:00' }

/** The opening hours of the week: a day is closed, or open between two times. */
export function HoursRows({ form }: { form: ContractForm<StationValues> }) {
  const t = useT()
  const format = useFormat()
  const { openingHours } = form.values
  const setDay = (weekday: number, hours: { open: string; close: string } | null) =>
    form.set(
      'openingHours',
      openingHours.map((each, n) => (n === weekday ? hours : each)),
    )
  return (
    <Fieldset legend={t('fields.openingHours')}>
      <Stack as="ul" gap={8}>
        {openingHours.map((hours, weekday) => {
          const day = format.weekday(getDay(weekday))
          return (
            <Row as="li" key={day} gap={12} align="center" style={{ minHeight: 44 }}>
              <Checkbox
                label={day}
                style={{ width: 140 }}
                checked={hours !== null}
                onChange={(event) => setDay(weekday, event.currentTarget.checked ? usualHours : null)}
              />
              {hours ? (
                <Row gap={12}>
                  <DayTime form={form} weekday={weekday} end="open" />
                  <DayTime form={form} weekday={weekday} end="close" />
                </Row>
              ) : (
                <span>{t('stations.closed')}</span>
              )}
            </Row>
          )
        })}
      </Stack>
    </Fieldset>
  )
}

type DayTimeProps = { form: ContractForm<StationValues>; weekday: number; end: 'open' | 'close' }

/** The opening or the closing time of a day. Its row has the visible label. */
function DayTime({ form, weekday, end }: DayTimeProps) {
  const t = useT()
  const day = useFormat().weekday(getDay(weekday))
  return (
    <TimeField
      field={form.fieldAt<string>(`openingHours.${weekday}.${end}`)}
      label={undefined}
      aria-label={t('phrase.labelled', { label: day, value: t(`fields.${end}`) })}
    />
  )
}
