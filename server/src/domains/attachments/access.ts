/** Who may see and manage attachments. */
import { decide } from '@waybill/contract/ground/access'
import type { UserCaller } from '../../http/caller.ts'
import type { AttachmentRow } from './queries.ts'

/** Only the uploader may change, delete and use an upload. */
export function mayManageAttachment(row: AttachmentRow, caller: UserCaller): boolean {
  return row.uploaded_by === caller.userId
}

/** Visible to the uploader, users who see everything of the account, and staff who serve customers. */
export function maySeeAttachment(row: AttachmentRow, caller: UserCaller): boolean {
  if (mayManageAttachment(row, caller)) return true
  if (caller.kind === 'staff')
    return decide('staff.operate', caller) === 'pass' || decide('staff.accounts', caller) === 'pass'
  return row.account_id === caller.accountId && (caller.isOwner || caller.permissions.includes('parcels.view_all'))
}
