import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import type { CallOptions } from '../../lib/api.ts'
import { saveDocument } from '../../lib/download.ts'
import { useT } from '../../lib/i18n.ts'
import { useSend } from '../feedback/use-send.ts'
import classes from './data-list.module.css'

type Props<E> = {
  /** Returns a spreadsheet of the rows that the list shows for the same query. */
  endpoint: E
  /** `list.narrowing`; fields that the endpoint does not accept (the sort order) are omitted. */
  narrowing: Record<string, unknown>
  /** Parameters of the endpoint's path. */
  params?: Record<string, string> | undefined
}

/** Saves all rows of a list, not only the page on screen, as a spreadsheet. */
export function DownloadExcel<E extends EndpointShape & { query: Schema }>({ endpoint, narrowing, params }: Props<E>) {
  const t = useT()
  const download = useSend(() => {
    const { sort: _, ...query } = narrowing
    return saveDocument(endpoint, { ...(params && { params }), query } as unknown as CallOptions<E>)
  })
  return (
    <Button
      className={classes.download}
      variant="default"
      leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
      loading={download.pending}
      onClick={() => void download.send()}
    >
      {t('actions.downloadExcel')}
    </Button>
  )
}
