import { text } from '@waybill/contract/ground/fields'
import { addHoliday, holidayInput, listHolidays } from '@waybill/contract/stations/holidays'
import { useState } from 'react'
import * as z from 'zod/mini'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { DateField } from '../../../components/fields/date-field.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { ChecksField } from '../../settings/shared/checks-field.tsx'

type Props = {
  country: string
  /** The states that a holiday can be limited to; empty for countries without them. */
  states: readonly string[]
  today: string
  onClose: () => void
}

/** A limited holiday names at least one state. Without one it would apply to the whole country. */
const inSomeStates = z.extend(holidayInput, { states: z.array(text(80)).check(z.minLength(1), z.maxLength(30)) })

/** Adds a holiday to the calendar. */
export function HolidayDialog({ country, states, today, onClose }: Props) {
  const t = useT()
  const [where, setWhere] = useState<'everywhere' | 'some'>('everywhere')
  const form = useContractForm({
    schema: where === 'some' ? inSomeStates : holidayInput,
    initial: { country, day: '', name: '', states: [] as readonly string[] },
    onSubmit: (body) => call(addHoliday, { body: where === 'some' ? body : { ...body, states: [] } }),
    refresh: [listHolidays],
    success: (_, { name }) => t('holidaysPage.added', { name }),
    onSuccess: onClose,
  })
  const statesField = form.field('states')
  return (
    <SaveDialog title={t('holidaysPage.add')} shape="wide" onClose={onClose} form={form} save={t('holidaysPage.add')}>
      <Grid min={220}>
        <DateField field={form.field('day')} min={today} data-autofocus />
        <TextField field={form.field('name', t('holidaysPage.name'))} autoComplete="off" />
      </Grid>
      {states.length > 0 && (
        <RadioField
          field={{
            id: 'holiday-where',
            path: 'where',
            value: where,
            onChange: setWhere,
            onBlur: () => undefined,
            error: undefined,
            required: true,
            label: t('holidaysPage.where'),
          }}
          choices={[
            { value: 'everywhere', label: t('holidaysPage.everywhere') },
            { value: 'some', label: t('holidaysPage.some') },
          ]}
        />
      )}
      {where === 'some' && (
        <ChecksField field={statesField} choices={states.map((state) => ({ value: state, label: state }))} />
      )}
    </SaveDialog>
  )
}
