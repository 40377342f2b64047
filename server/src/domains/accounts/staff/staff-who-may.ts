/** Staff by their rights. */
import { type AccessRule, decide } from '@waybill/contract/ground/access'
import type { AdminUserType, StaffRole } from '@waybill/contract/ground/enums/enums'
import type { DbOrTx } from '../../../db/pool.ts'
import { listActiveStaff, type StaffContact } from './queries.ts'

/** The active staff who have access by a row of the access table. */
export async function listStaffWithAccess(db: DbOrTx, rule: AccessRule): Promise<StaffContact[]> {
  const staff = await listActiveStaff(db)
  return staff.filter(
    ({ staff_type, staff_role }) =>
      decide(rule, {
        kind: 'staff',
        staffType: staff_type as AdminUserType,
        staffRole: staff_role as StaffRole | null,
        userStatus: 'active',
      }) === 'pass',
  )
}
