import { NativeSelect } from '@mantine/core'
import { listStations } from '@waybill/contract/stations/stations'
import { SelectField } from '../../../components/fields/select-field.tsx'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'

/**
 * The station of this scanner: the one selected here, or else the staff member's own. It is cleared at sign-out,
 * because the next clerk must not scan for the wrong station.
 */
export function useChosenStation(): [string | null, (id: string | null) => void] {
  const own = useSession((state) => state.auth.user?.staff?.stationId ?? null)
  const [station, choose] = useKept<string | null>('scan-station', null)
  return [station ?? own, choose]
}

function useStationChoices() {
  const stations = useCall(listStations, { query: { limit: 200, sort: '+code' } }, { staleTime: 600_000 })
  return (stations.data?.items ?? []).map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))
}

export function StationChoice({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const t = useT()
  return <StationSelect label={t('scanPage.station')} value={value} onChange={onChange} />
}

type SelectProps = {
  label: string
  value: string | null
  onChange: (id: string | null) => void
  /** A station that cannot be selected: a parcel is not sent on to the station where it is. */
  except?: string | null
  error?: string | undefined
}

/** A native select: typing the first letters of a code finds its station. */
function StationSelect({ value, onChange, except = null, ...rest }: SelectProps) {
  const t = useT()
  const choices = useStationChoices().filter((choice) => choice.value !== except)
  const isListed = choices.some((choice) => choice.value === value)
  return (
    <NativeSelect
      {...rest}
      value={isListed ? (value ?? '') : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {!isListed && (
        <option value="" disabled>
          {t('actions.choose')}
        </option>
      )}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </NativeSelect>
  )
}

export function NextStation({ field }: { field: FieldBinding<string | null> }) {
  return <SelectField field={field} choices={useStationChoices()} autoFocus />
}

/** The destination of something that departs from the station `except`. */
export function DestinationField({ field, except }: { field: FieldBinding<string | null>; except: string | null }) {
  const choices = useStationChoices().filter(({ value }) => value !== except)
  return <SelectField field={field} choices={choices} autoFocus />
}

type NextProps = Omit<SelectProps, 'label'>

/** The next station of a whole pile. */
export function NextPileStation(props: NextProps) {
  const t = useT()
  return <StationSelect label={t('scanPage.nextStation')} {...props} />
}

/** The next station of a gunny. */
export function NextGunnyStation(props: NextProps) {
  const t = useT()
  return <StationSelect label={t('gunnyStation.nextStation')} {...props} />
}
