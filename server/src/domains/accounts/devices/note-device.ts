/** Stores known devices. */
import { deviceName } from '@waybill/contract/accounts/device-name'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import type { UserRow } from '../queries.ts'
import { addKnownDevice } from './queries.ts'
import type { Device } from './request-device.ts'

type SignIn = { user: UserRow; device: Device; sessionId: string }

/** Stores the device of a sign-in, and notifies the user if it is new: on other devices, and by mail. */
export async function recordDevice(trx: DbOrTx, deps: Deps, { user, device, sessionId }: SignIn): Promise<void> {
  const at = deps.clock.now()
  const mark = device.id ? `id ${device.id}` : `agent ${device.userAgent ?? ''}`
  if (!(await addKnownDevice(trx, user.id, sha256(mark), at))) return
  const name = deviceName(device.userAgent)
  await notify(deps, trx, {
    kind: 'new_device',
    to: { users: [user.id] },
    facts: { device: name ?? fact.phrase('profile.unknownDevice'), ip: device.ip, at: fact.moment(at) },
    fromSession: sessionId,
  })
}
