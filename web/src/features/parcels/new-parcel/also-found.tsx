import { listAddresses } from '@waybill/contract/addresses/addresses'
import { orderStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { listOrders } from '@waybill/contract/orders/orders'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Row } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'

/**
 * Further results of the search box: matching orders and people of the address book, above the parcels. Hidden without
 * a match.
 */
export function AlsoFound({ search }: { search: string }) {
  const t = useT()
  const label = useLabel()
  const mayBook = useMay('addresses.view')
  const orders = useCall(listOrders, { query: { search, limit: 3 } }, { enabled: search.length <= 60 })
  const people = useCall(listAddresses, { query: { search, limit: 3 } }, { enabled: mayBook })
  const foundOrders = orders.data?.items ?? []
  const foundPeople = people.data?.items ?? []
  if (foundOrders.length + foundPeople.length === 0) return null
  return (
    <Row as="section" gap="4px 24px" style={{ marginBlockEnd: 16 }} aria-label={t('parcelsPage.also')}>
      <span>{t('parcelsPage.also')}</span>
      {foundOrders.map(({ id, number, status }) => (
        <span key={id}>
          <TextLink to="/orders/$id" params={{ id }}>
            {number}
          </TextLink>{' '}
          {label(orderStatusLabels, status)}
        </span>
      ))}
      {foundPeople.map(({ id, contactName, city }) => (
        <span key={id}>
          <TextLink to="/address-book" search={{ q: search }}>
            {contactName}
          </TextLink>{' '}
          {city}
        </span>
      ))}
    </Row>
  )
}
