import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { scopeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { LogEntry } from '@waybill/contract/logs/logs'
import { Mono } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useSettingWords } from '../settings/shared/words.ts'
import { LogsPage } from './logs-page.tsx'

/** `/staff/logs`. Its own file: the log of a customer needs no names of settings. */
export function StaffLogsPage() {
  const findName = useSubjectName()
  return (
    <LogsPage
      side="staff"
      describeSubject={({ action, subject }) => findName(action, subject ?? '') ?? <Mono>{subject}</Mono>}
    />
  )
}

/** The name of a record that the log stores by its key, such as a setting; null for numbers and ids. */
function useSubjectName(): (action: LogEntry['action'], subject: string) => string | null {
  const t = useT()
  const label = useLabel()
  const { getFullName } = useSettingWords()
  const find = <L extends Record<string, readonly [string, string]>>(labels: L, value: string) =>
    value in labels ? label(labels, value as Extract<keyof L, string>) : value
  return (action, subject) => {
    switch (action) {
      case 'settings.put':
        return getFullName(subject)
      case 'setup.confirmed':
      case 'setup.mailTested':
        return t(`setupPage.step.${subject}`)
      case 'rates.carrier':
        return find(carrierLabels, subject)
      case 'rates.service': {
        const [scope = '', carrier = '', service = ''] = subject.split('.')
        return [find(scopeLabels, scope), find(carrierLabels, carrier), find(serviceTypeLabels, service)].join(' · ')
      }
      default:
        return null
    }
  }
}
