import { isSecretKey, isSettingKey } from '@waybill/contract/settings/setting-rules'
import { settingsHistory } from '@waybill/contract/settings/settings'
import { ChangedBy } from '../../components/display/changes.tsx'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { Stack } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useSettingWords } from './shared/words.ts'

/** The latest changes of settings: who, when, and the earlier value. */
export function HistoryDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const { getFullName, formatValue } = useSettingWords()
  const history = useCall(settingsHistory, { query: {} })
  return (
    <Dialog title={t('settingsPage.history')} shape="wide" onClose={onClose}>
      {history.error ? (
        <ErrorPanel error={history.error} retry={() => void history.refetch()} />
      ) : !history.data ? (
        <Loading />
      ) : history.data.items.length === 0 ? (
        <MessagePanel kind="empty" title={t('settingsPage.noHistory')} />
      ) : (
        <Stack as="ul">
          {history.data.items.map(({ key, at, by, from, to }) => (
            <Stack as="li" gap={2} key={`${key} ${at}`}>
              <strong>{getFullName(key)}</strong>
              <span>
                {isSettingKey(key) && isSecretKey(key)
                  ? t('settingsPage.secretChanged')
                  : `${formatValue(key, from)} → ${formatValue(key, to)}`}
              </span>
              <ChangedBy at={at} by={by} />
            </Stack>
          ))}
        </Stack>
      )}
    </Dialog>
  )
}
