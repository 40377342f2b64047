import { Button } from '@mantine/core'
import { orderStatusLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { reportOrders } from '@waybill/contract/reports/orders'
import { useState } from 'react'
import { DateField } from '../../../components/fields/date-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { Buttons, Grid, Panel } from '../../../components/layout/boxes.tsx'
import type { ListState } from '../../../components/list/list-state.ts'
import { ApiError } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { usePaymentMethods } from '../../../lib/settings/payment-methods.ts'

/** Query fields of the report. */
export const reportFilters = ['from', 'to', 'status', 'serviceType', 'paymentMethod', 'createdBy'] as const

type Props = {
  list: ListState<typeof reportOrders>
  creators: readonly { id: string; name: string }[]
}

/** The filters of the report, always visible. A refused one shows the reason below its field. */
export function ReportFilters({ list, creators }: Props) {
  const t = useT()
  const choices = useChoices()
  const paymentMethods = usePaymentMethods()
  const { data, error } = list.result
  const refusals = error instanceof ApiError ? error.errors : []
  const field = (name: (typeof reportFilters)[number], label?: string) => ({
    ...list.filter(name, label),
    error: refusals.find((refusal) => refusal.field === name)?.message,
  })
  const [shownPeriod, setShownPeriod] = useState(data && { from: data.from, to: data.to })
  if (data && (data.from !== shownPeriod?.from || data.to !== shownPeriod.to))
    setShownPeriod({ from: data.from, to: data.to })
  // Until the user selects a period, the fields show the server's default, also after a refusal of the other day.
  const dayField = (name: 'from' | 'to') => {
    const binding = field(name)
    return { ...binding, value: binding.value ?? shownPeriod?.[name] ?? null }
  }
  return (
    <search>
      <Panel
        as="form"
        padding={16}
        aria-label={t('reports.filters')}
        onSubmit={(event) => {
          event.preventDefault()
          list.apply()
        }}
      >
        <Grid min={156} gap={12} fill>
          <DateField field={dayField('from')} />
          <DateField field={dayField('to')} />
          <SelectField field={field('status')} choices={choices(orderStatusLabels)} />
          <SelectField field={field('serviceType')} choices={choices(serviceTypeLabels)} />
          <SelectField field={field('paymentMethod', t('ordersPage.method'))} choices={paymentMethods} />
          {creators.length > 1 && (
            <SelectField
              field={field('createdBy')}
              choices={creators.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
          {/* Beside the fields while they have neither a second button nor an error below them. */}
          <Buttons {...(list.narrowed ? { 'data-wide': true } : { style: { alignSelf: 'end' } })}>
            <Button type="submit">{t('reports.show')}</Button>
            {list.narrowed && (
              <Button variant="subtle" color="gray" onClick={list.clear}>
                {t('actions.clear')}
              </Button>
            )}
          </Buttons>
        </Grid>
      </Panel>
    </search>
  )
}
