import { staffRank } from '@waybill/contract/accounts/team'
import {
  type AdminUserType,
  adminUserTypeLabels,
  type StaffRole,
  staffRoleLabels,
} from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { listStations } from '@waybill/contract/stations/stations'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'

export type Position = { type: AdminUserType; role: StaffRole | null }

/** Type and role as one choice, because the person who assigns them sees them as one question. */
export const positions: readonly Position[] = [
  { type: 'superadmin', role: null },
  { type: 'admin', role: null },
  ...labelValues(staffRoleLabels).map((role) => ({ type: 'staff' as const, role })),
]

/** The value of a position in a list of choices; `deputy` for the role `admin`. */
export const positionKey = ({ type, role }: Position): string =>
  role === null ? type : role === 'admin' ? 'deputy' : role

/** The label of a position. */
export function usePositionLabel() {
  const label = useLabel()
  return ({ type, role }: Position) => (role === null ? label(adminUserTypeLabels, type) : label(staffRoleLabels, role))
}

/** The positions that the signed-in user may give to others: none above their own rank. */
export function useGrantablePositions(): readonly Position[] {
  const own = useSession((state) => state.auth.user?.staff)
  if (!own) return []
  const rank = staffRank(own.type, own.role)
  return positions.filter(({ type, role }) => staffRank(type, role) <= rank)
}

/** The stations as choices. */
export function useStationChoices() {
  const stations = useCall(listStations, { query: { limit: 200, sort: '+code' } }, { staleTime: 600_000 })
  return (stations.data?.items ?? []).map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))
}

/** The name of a station, or that there is none. */
export function useStationName() {
  const t = useT()
  const choices = useStationChoices()
  return (id: string | null) =>
    id === null ? t('teamPage.noStation') : (choices.find(({ value }) => value === id)?.label ?? '…')
}
