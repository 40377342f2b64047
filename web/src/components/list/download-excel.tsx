import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import type { CallOptions } from '../../lib/api.ts'
import { saveDocument } from '../../lib/download.ts'
import { useT } from '../../lib/i18n.ts'
import { useSend } from '../feedback/use-send.ts'

type Props<E> = {
  /** Returns a spreadsheet of the rows that the list shows for the same query. */
  endpoint: E
  /** `list.narrowing`; what the endpoint does not take (the order of rows) is left out. */
  narrowing: Record<string, unknown>
}

/** Saves all rows of a list, not only the page on screen, as a spreadsheet. */
export function DownloadExcel<E extends EndpointShape & { query: Schema }>({ endpoint, narrowing }: Props<E>) {
  const t = useT()
  const download = useSend(() => {
    const { sort: _, ...query } = narrowing
    return saveDocument(endpoint, { query } as unknown as CallOptions<E>)
  })
  return (
    <Button
      variant="default"
      leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
      loading={download.pending}
      onClick={() => void download.send()}
    >
      {t('actions.downloadExcel')}
    </Button>
  )
}
