import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { parcelStatusLabels, scopeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { listOrders } from '@waybill/contract/orders/orders'
import { listBulk } from '@waybill/contract/parcels/bulk'
import type { listParcels } from '@waybill/contract/parcels/list'
import { getSelector } from '@waybill/contract/settings/settings'
import { DateField } from '../../../components/fields/date-field.tsx'
import { type Choice, SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import type { ListState } from '../../../components/list/list-state.ts'
import { MoreFilters } from '../../../components/list/more-filters.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices, useDeliveryModes } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { seesAllParcels, useMay, useSession } from '../../../lib/session.ts'
import { usePaymentMethods } from '../../../lib/settings/payment-methods.ts'

/** Rarely used filters: behind "More filters". */
const lessUsed = [
  'deliveryMode',
  'carrier',
  'scope',
  'paymentMethod',
  'city',
  'state',
  'postcode',
  'createdBy',
  'batchId',
  'orderId',
  'withCod',
  'unpaid',
  'silent',
  'undecided',
] as const

/** Names of the filters, in the URL and in the endpoint. */
export const parcelFilterNames = ['status', 'serviceType', 'from', 'to', ...lessUsed] as const

/** The advanced filters of the parcels screen. */
export function ParcelFilters({ list }: { list: ListState<typeof listParcels> }) {
  const t = useT()
  const choices = useChoices()
  const deliveryModes = useDeliveryModes()
  const paymentMethods = usePaymentMethods()
  const { filter } = list
  const yes = [{ value: 'true', label: t('parcelsPage.only') }]
  return (
    <>
      <SelectField field={filter('status')} choices={choices(parcelStatusLabels)} />
      <SelectField field={filter('serviceType')} choices={choices(serviceTypeLabels)} />
      <DateField field={filter('from', t('parcelsPage.createdFrom'))} />
      <DateField field={filter('to', t('parcelsPage.createdTo'))} />
      <MoreFilters list={list} names={lessUsed}>
        <SelectField field={filter('deliveryMode')} choices={deliveryModes} />
        <SelectField field={filter('carrier')} choices={choices(carrierLabels)} />
        <SelectField field={filter('scope')} choices={choices(scopeLabels)} />
        <SelectField field={filter('paymentMethod', t('ordersPage.method'))} choices={paymentMethods} />
        <TextField field={filter('city', t('parcelsPage.toCity'))} />
        <TextField field={filter('state', t('parcelsPage.toState'))} />
        <TextField field={filter('postcode', t('parcelsPage.toPostcode'))} />
        <CreatedBy list={list} />
        <Batch list={list} />
        <Order list={list} />
        <SelectField field={filter('withCod', t('parcelsPage.withCod'))} choices={yes} />
        <SelectField field={filter('unpaid', t('parcelsPage.tab.unpaid'))} choices={yes} />
        <SelectField field={filter('silent', t('parcelsPage.silent'))} choices={yes} />
        <SelectField field={filter('undecided', t('parcelsPage.undecided'))} choices={yes} />
      </MoreFilters>
    </>
  )
}

/** The choices of a filter, plus the URL's value if it is not among them, so that it stays selected. */
function withCurrent(choices: Choice[], current: string | null, label: string): Choice[] {
  return current === null || choices.some(({ value }) => value === current)
    ? choices
    : [...choices, { value: current, label }]
}

/** For users who see all parcels of the account. */
function CreatedBy({ list }: { list: ListState<typeof listParcels> }) {
  const t = useT()
  const seesAll = useSession(({ auth }) => seesAllParcels(auth.user))
  const { data } = useCall(getSelector, { params: { name: 'corporate-users' } }, { enabled: seesAll })
  const field = list.filter('createdBy', t('parcelsPage.createdBy'))
  const users = (data?.items ?? []).map(({ value, label }) => ({ value, label }))
  // With only one sender this filter is not needed.
  if (!seesAll || (users.length < 2 && field.value === null)) return null
  return <SelectField field={field} choices={withCurrent(users, field.value, t('parcelsPage.chosen'))} />
}

function Batch({ list }: { list: ListState<typeof listParcels> }) {
  const t = useT()
  const format = useFormat()
  const may = useMay('parcels.create')
  const { data } = useCall(listBulk, { query: { limit: 50, sort: '-createdAt' } }, { enabled: may })
  const field = list.filter('batchId', t('parcelsPage.batch'))
  if (!may || (field.value === null && !data?.items.length)) return null
  const batches = (data?.items ?? []).map(({ id, name, createdAt }) => ({
    value: id,
    label: `${name ?? t('parcelsPage.batch')} · ${format.date(createdAt)}`,
  }))
  return <SelectField field={field} choices={withCurrent(batches, field.value, t('parcelsPage.chosen'))} />
}

function Order({ list }: { list: ListState<typeof listParcels> }) {
  const t = useT()
  const format = useFormat()
  const { data } = useCall(listOrders, { query: { limit: 50, sort: '-createdAt' } })
  const field = list.filter('orderId')
  if (field.value === null && !data?.items.length) return null
  const orders = (data?.items ?? []).map(({ id, number, createdAt }) => ({
    value: id,
    label: `${number} · ${format.date(createdAt)}`,
  }))
  return <SelectField field={field} choices={withCurrent(orders, field.value, t('parcelsPage.chosen'))} />
}
