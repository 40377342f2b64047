import { getAvailablePostcode, type Party } from '@waybill/contract/addresses/addresses'
import { pickupSlots } from '@waybill/contract/pickups/slots'
import { useEffect, useMemo, useState } from 'react'
import { useFormat } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import { serverNow } from '../../../lib/time/server-clock.ts'
import type { PickupClock } from './pickup-slots.ts'

const everyMs = 30_000

/** The deployment's clock, with the cut-off time of the station that serves the postcode. */
export function usePickupClock(
  postcode: string,
  country: string,
  { line1 = '', line2 = null }: Partial<Pick<Party, 'line1' | 'line2'>> = {},
): PickupClock {
  const format = useFormat()
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [])
  const coverage = useCall(
    getAvailablePostcode,
    { body: { postcode, country } },
    { enabled: /^\w{3,12}$/.test(postcode), staleTime: 3_600_000 },
  )
  const slots = useCall(
    pickupSlots,
    { query: { postcode, country, ...(line1 ? { line1 } : {}), ...(line2 ? { line2 } : {}) } },
    { enabled: /^\w{3,12}$/.test(postcode), staleTime: 0, keepPrevious: true },
  )
  const closedSlots = useMemo(
    () =>
      new Map(
        (slots.data?.items ?? []).flatMap(({ date, window, closed }) =>
          closed === 'rest_day' || closed === 'full' ? [[`${date} ${window}`, closed] as const] : [],
        ),
      ),
    [slots.data],
  )
  return {
    closedSlots,
    visits: (slots.data?.items ?? []).filter(({ visit }) => visit),
    loading: slots.isLoading || slots.isPlaceholderData,
    today: format.today(now),
    time: format.time(new Date(now).toISOString()),
    cutOff: coverage.data?.cutOffTime ?? null,
  }
}
