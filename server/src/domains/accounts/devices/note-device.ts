/** Known devices. */
import { deviceName } from '@waybill/contract/accounts/device-name'
import type { Locale } from '@waybill/contract/ground/constants'
import { formatDate } from '@waybill/contract/ground/format'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { sha256 } from '../../../lib/crypto.ts'
import type { UserRow } from '../queries.ts'
import { addKnownDevice } from './queries.ts'
import type { Device } from './request-device.ts'

/** Stores the device of a sign-in, and mails the user if it is new. */
export async function recordDevice(trx: DbOrTx, deps: Deps, user: UserRow, device: Device): Promise<void> {
  const at = deps.clock.now()
  const mark = device.id ? `id ${device.id}` : `agent ${device.userAgent ?? ''}`
  if (!(await addKnownDevice(trx, user.id, sha256(mark), at))) return
  const locale = user.language as Locale
  const t = deps.translations(locale)
  await addJob(trx, 'mail:send', {
    to: user.email,
    template: 'new_device',
    locale,
    vars: {
      name: user.name,
      device: deviceName(device.userAgent) ?? t('profile.unknownDevice'),
      ip: device.ip,
      at: formatDate(at.toISOString(), deps.settings.get('timezone'), deps.settings.get('format.dateTime'), locale),
      url: `${deps.config.http.publicUrl}/forgot-password`,
    },
  })
}
