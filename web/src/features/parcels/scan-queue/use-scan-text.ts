import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { serverNow } from '../../../lib/time/server-clock.ts'
import type { ScanEntry } from './scan-queue.ts'

const justNowMs = 12 * 3_600_000

/** The result of a scan as text. */
export function useScanText(): (entry: ScanEntry) => string {
  const t = useT()
  const format = useFormat()
  return ({ state, body, answer, problem }) => {
    if (state === 'waiting') return t('scanPage.waiting')
    if (state === 'failed') return problem?.message ?? ''
    if (answer?.rightStation) return t('scanPage.misrouted', { station: answer.rightStation.name })
    if (!answer?.repeated) return t(`event.${body.event}`)
    const { byYou, byName } = answer.repeated
    const who = byYou ? t('scanPage.you') : (byName ?? t('taskSteps.somebody'))
    const recent = serverNow() - Date.parse(answer.at) < justNowMs
    const time = recent ? format.time(answer.at) : format.dateTime(answer.at)
    return t(`scanPage.already.${body.event}`, { time, who })
  }
}
