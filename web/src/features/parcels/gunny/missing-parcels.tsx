import { missingFromGunnies } from '@waybill/contract/parcels/gunny'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { Pages } from '../../../components/list/data-list.tsx'
import { usePages } from '../../../components/list/use-pages.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import classes from '../scanning/scan.module.css'

/** Parcels missing from gunnies, until they are scanned again. */
export function MissingParcels() {
  const t = useT()
  const format = useFormat()
  const { list, slice } = usePages({})
  const missing = useCall(missingFromGunnies, { query: slice }, { keepPrevious: true })
  if (missing.error) return <ErrorPanel error={missing.error} retry={() => void missing.refetch()} />
  const items = missing.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className={`${classes.recent} ${classes.missing}`} aria-label={t('gunnyMissing.title')}>
      <h2>{t('phrase.detail', { text: t('gunnyMissing.title'), detail: format.number(missing.data?.total ?? 0) })}</h2>
      <Note>{t('gunnyMissing.lead')}</Note>
      <ul>
        {items.map((parcel) => (
          <li key={parcel.parcelId}>
            <strong>
              <StaffParcelLink number={parcel.trackingNumber} />
            </strong>
            <span>{t('gunnyMissing.from', { gunny: format.trackingNumber(parcel.gunnyNumber) })}</span>
            <Quiet>
              {parcel.station && `${parcel.station} · `}
              {format.dateTime(parcel.at)} · {parcel.accountName}
            </Quiet>
          </li>
        ))}
      </ul>
      {missing.data && missing.data.total > items.length && <Pages list={list} page={missing.data} />}
    </section>
  )
}
