import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** Whether the caller works at no station, which has no drawers. */
export const isStationless = (error: unknown) => error instanceof ApiError && error.code === 'no_station'

/** In place of the drawers while they load, or why there are none. */
export function DrawersPending({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useT()
  if (isStationless(error))
    return <MessagePanel kind="empty" title={t('cashPage.noStation')} text={t('errors.no_station')} />
  return error ? <ErrorPanel error={error} retry={retry} /> : <Loading />
}
