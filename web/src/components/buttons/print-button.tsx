import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { CallOptions } from '../../lib/api.ts'
import { openDocument } from '../../lib/download.ts'
import { useSend } from '../feedback/use-send.ts'

type Props<E extends EndpointShape> = {
  label: string
  endpoint: E
  options: CallOptions<E>
  /** The one main action of the view, which gets the focus. */
  main?: boolean
}

/** Opens a printed document in a new tab. */
export function PrintButton<E extends EndpointShape>({ label, endpoint, options, main = false }: Props<E>) {
  const print = useSend(() => openDocument(endpoint, options))
  return (
    <Button
      {...(main && { variant: 'filled', autoFocus: true })}
      leftSection={<IconPrinter size={18} aria-hidden />}
      loading={print.pending}
      onClick={() => void print.send()}
    >
      {label}
    </Button>
  )
}
