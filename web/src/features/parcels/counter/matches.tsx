import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { statusLabel } from '@waybill/contract/ground/status/status-label'
import { parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import { type StaffParcel, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { type FoundParcel, longestText, searchParcelsForStaff } from '@waybill/contract/search/search'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Panel } from '../../../components/layout/boxes.tsx'
import { Mono, Note, Quiet } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import scan from '../scanning/scan.module.css'
import classes from './matches.module.css'

/** Several parcels that match a text; `more`: only the first ones. */
type MatchingParcels = { text: string; items: readonly FoundParcel[]; more: boolean }

/** `parcel` for a number, or if nothing else matches the text; otherwise `matches`, from which the clerk chooses. */
export type CounterResult = { parcel: StaffParcel; matches: null } | { parcel: null; matches: MatchingParcels }

const findParcel = (no: string) => call(staffParcelByNumber, { params: { no } })

/**
 * Looks up a tracking number; any other text may be the number of an order, or a phone or name of a receiver. If no
 * parcel matches, throws the error of the number.
 */
export async function findAtCounter(text: string, stationId: string | null): Promise<CounterResult> {
  try {
    return { parcel: await findParcel(text), matches: null }
  } catch (error) {
    const isNoParcel = error instanceof ApiError && [404, 422].includes(error.statusCode)
    if (!isNoParcel || text.length < 2 || text.length > longestText) throw error
    const query = { q: text, ...(stationId ? { stationId } : {}) }
    const { items, more } = await call(searchParcelsForStaff, { query })
    const [first] = items
    if (!first) throw error
    if (items.length > 1) return { parcel: null, matches: { text, items, more } }
    return { parcel: await findParcel(first.trackingNumber), matches: null }
  }
}

type Props = { matches: MatchingParcels; onChoose: (trackingNumber: string) => void }

/** The parcels that match a text. The field above keeps the focus and takes the position of one. */
export function Matches({ matches: { text, items, more }, onChoose }: Props) {
  const t = useT()
  const format = useFormat()
  const language = useLanguage()
  return (
    <Panel style={{ marginBlock: '16px 24px' }} aria-labelledby="counter-matches">
      <h2 id="counter-matches">{t('counterPage.matches', { text })}</h2>
      <ol className={classes.matches}>
        {items.map(({ id, trackingNumber, status, leg, receiverName, receiverCity, accountName }, index) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(trackingNumber)}>
              <kbd className={scan.key} aria-hidden>
                {index + 1}
              </kbd>
              <span className={classes.who}>
                <strong>{receiverName}</strong>
                <Quiet>{receiverCity}</Quiet>
              </span>
              <span className={classes.which}>
                <Mono>{format.trackingNumber(trackingNumber)}</Mono>
                <Quiet>{t('counterPage.sentBy', { name: accountName })}</Quiet>
              </span>
              <StatusPill
                look={parcelStatusLooks[status]}
                label={statusLabel(parcelStatusLabels, status, leg, language)}
              />
            </button>
          </li>
        ))}
      </ol>
      {more && <Note>{t('counterPage.moreMatches', { count: items.length })}</Note>}
    </Panel>
  )
}
