/** Who may see and manage attachments. */
import { decide } from '@waybill/contract/ground/access'
import type { CustomerCaller, StaffCaller } from '../../http/caller.ts'
import type { AttachmentRow } from './queries.ts'

/** Only the uploader may change, delete and use an upload. */
export function mayManage(row: AttachmentRow, caller: CustomerCaller | StaffCaller): boolean {
  return row.uploaded_by === caller.userId
}

/** Visible to the uploader, users who see everything of the account, and staff who serve customers. */
export function maySee(row: AttachmentRow, caller: CustomerCaller | StaffCaller): boolean {
  if (mayManage(row, caller)) return true
  if (caller.kind === 'staff')
    return decide('staff.operate', caller) === 'pass' || decide('staff.accounts', caller) === 'pass'
  return row.account_id === caller.accountId && (caller.isOwner || caller.permissions.includes('parcels.view_all'))
}
