import { listStations } from '@waybill/contract/stations/stations'
import { SelectField } from '../../../components/fields/select-field.tsx'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

type Props = { list: { filter: (name: 'stationId' | 'difference', label?: string) => FieldBinding<string | null> } }

/** The filters of counted cash: the station, and whether the count differs from the expected amount. */
export function CashFilters({ list }: Props) {
  const t = useT()
  const stations = useCall(listStations, { query: { limit: 200, sort: '+code' } }, { staleTime: 600_000 })
  return (
    <>
      <SelectField
        field={list.filter('stationId')}
        choices={(stations.data?.items ?? []).map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))}
      />
      <SelectField
        field={list.filter('difference', t('cashDoc.difference'))}
        choices={(['any', 'none'] as const).map((value) => ({ value, label: t(`cashPage.differs.${value}`) }))}
      />
    </>
  )
}
