import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ParsedAddress } from '@waybill/contract/addresses/addresses'
import { createBulk, listBulk } from '@waybill/contract/parcels/bulk'
import { useState } from 'react'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { errorMessage } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useRefresh } from '../../../lib/query.ts'
import { toBulkRow } from './bulk-rows.ts'
import type { PastedAddress } from './split-addresses.ts'

const atOnce = 4

type Props = {
  addresses: readonly PastedAddress[]
  parse: (address: PastedAddress) => Promise<ParsedAddress>
  readAsOne: () => void
  onProblem: (message: string) => void
}

/** Several addresses: a bulk upload with a row for each, or one address that only looks like several. */
export default function SeveralAddresses({ addresses, parse, readAsOne, onProblem }: Props) {
  const t = useT()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const callOnce = useCallOnce()
  const [running, setRunning] = useState(false)

  async function toBulk() {
    setRunning(true)
    try {
      const parsed: ParsedAddress[] = []
      for (let from = 0; from < addresses.length; from += atOnce)
        parsed.push(...(await Promise.all(addresses.slice(from, from + atOnce).map(parse))))
      const { id } = await callOnce(createBulk, { body: { name: t('pasteBox.batch'), rows: parsed.map(toBulkRow) } })
      await refresh(listBulk)
      await navigate({ to: '/parcels/bulk/$id', params: { id } })
    } catch (error) {
      onProblem(errorMessage(error))
    }
  }

  return (
    <Notice as="div">
      <p>{t('pasteBox.several', { count: addresses.length })}</p>
      <Buttons>
        <Button size="compact-sm" variant="subtle" disabled={running} onClick={readAsOne}>
          {t('pasteBox.asOne')}
        </Button>
        <Button size="compact-sm" loading={running} onClick={() => void toBulk()}>
          {t('pasteBox.toBulk')}
        </Button>
      </Buttons>
    </Notice>
  )
}
